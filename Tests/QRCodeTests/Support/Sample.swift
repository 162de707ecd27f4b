import QRCode

/// Contents of the kinds that symbols are made for here.
enum Sample {
    /// Base64 of `{"transaction_id":"…","otp":"…"}` with a UUID and 32 bytes in hex: 176 characters of 130 bytes.
    static let base64 =
        "eyJ0cmFuc2FjdGlvbl9pZCI6ImNmNTFhMjdhLWRmODAtNDJhZC1iZGQ3LTkzNmM0NzZiMmM4NyIsIm90cCI6IjlGOUY5RjlG"
        + "OUY5RjlGOUY5RjlGOUY5RjlGOUY5RjlGOUY5RjlGOUY5RjlGOUY5RjlGOUY5RjlGOUY5RjlGOUYifQ=="

    static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 * 7 % 251) } }

    /// The smallest symbol of `version` that the level has: one byte more than the version before holds.
    static func symbol(version: Int, _ correction: QRCode.Correction) throws -> QRCode {
        let count = version == 1 ? 1 : Capacity.bytes(version - 1, correction) + 1
        return try QRCode(bytes(count), correction: correction)
    }
}
