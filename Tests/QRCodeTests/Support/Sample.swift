import QRCode

/// Contents of the kinds that symbols are made for here.
enum Sample {
    /// Base64 of a JSON object with a UUID and 32 bytes in hex, 130 bytes long: 176 characters.
    static let base64 =
        "eyJ0cmFuc2FjdGlvbl9pZCI6IjZmMWVkMDAyLWFiNTYtNGZmMi05YzQ1LTA3ZDg4YTNhMGIzZSIsIm90cCI6IjAwMTEyMjMzNDQ1NTY2NzczO"
        + "Dk5QUFCQkNDRERFRUZGMDAxMTIyMzM0NDU1NjY3Nzg4OTlBQUJCQ0NEREVFRkYifQ=="

    static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 * 7 % 251) } }

    /// The smallest symbol of `version` that the level has: one byte more than the version before holds.
    static func symbol(version: Int, _ correction: QRCode.Correction) throws -> QRCode {
        let count = version == 1 ? 1 : Capacity.bytes(version - 1, correction) + 1
        return try QRCode(bytes(count), correction: correction)
    }
}
