/// Why there is no symbol.
package enum QRCodeError: Error, Equatable, CustomStringConvertible {
    case contentEmpty
    case contentTooLong(bytes: Int, correction: QRCode.Correction)
    /// The library gave up: `code` is what it left in errno, of which only ENOMEM is expected.
    case libraryFailed(code: Int32)

    package var description: String {
        switch self {
        case .contentEmpty:
            "A QR code holds at least one byte, and there is none to encode."
        case .contentTooLong(let bytes, let correction):
            """
            A QR code at error correction level \(correction.rawValue) holds at most \(correction.byteLimit) bytes, \
            the content has \(bytes); shorten it\(Self.roomierLevel(for: bytes)).
            """
        case .libraryFailed(let code):
            "The QR library made no symbol of a content that fits (errno \(code)); the system may be out of memory."
        }
    }

    private static func roomierLevel(for bytes: Int) -> String {
        let roomiest = QRCode.Correction.low
        return bytes <= roomiest.byteLimit
            ? " or take level \(roomiest.rawValue), which holds \(roomiest.byteLimit)" : ""
    }
}
