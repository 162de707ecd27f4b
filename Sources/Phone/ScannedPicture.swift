import Crypto
import Essentials
import HTTP
import QRCode

/// A picture of a QR code that a phone is shown: an SVG, or a PNG or SVG as a data URL (RFC 2397).
///
/// It may have some megabytes, so that it is looked at byte by byte, and not character by character.
enum ScannedPicture {
    /// Bytes that the text of a code may have. No QR code holds more than 2,953.
    static let longestText = 8 * 1024

    /// What the code says; a text that is no picture stays as it is.
    ///
    /// - Throws: ``PhoneRefusal`` for pictures that this program does not draw so, and for a text of more than ``longestText``.
    static func text(in scanned: String) throws -> String {
        guard let picture = try picture(in: scanned) else { return try checked(scanned) }
        do {
            let content = try QRCode(picture: picture).content
            guard let text = String(validating: content, as: UTF8.self) else {
                throw PhoneRefusal.picture(
                    "The QR code in the picture holds \(content.count) bytes that are not text.")
            }
            return text
        } catch let error as PictureError {
            throw PhoneRefusal.picture(error.description)
        }
    }

    private static func checked(_ text: String) throws -> String {
        guard text.utf8.count <= longestText else {
            throw PhoneRefusal.textTooLong(text.utf8.count, most: longestText)
        }
        return text
    }

    private static func picture(in scanned: String) throws -> [UInt8]? {
        let bytes = Array(scanned.utf8)
        if bytes.starts(with: "<svg".utf8) { return bytes }
        guard bytes.starts(with: "data:image/".utf8),
            let comma = bytes.firstIndex(of: UInt8(ascii: ",")), comma <= longestText
        else { return nil }
        let (head, body) = (String(decoding: bytes[..<comma], as: UTF8.self), bytes[(comma + 1)...])
        guard head.hasPrefix("data:image/png") || head.hasPrefix("data:image/svg+xml") else {
            throw PhoneRefusal.picture(
                "Pictures are read as PNG or SVG, not as \(head.dropFirst(5).prefix(40)); give the text of the code instead."
            )
        }
        let text = String(decoding: body, as: UTF8.self)
        guard head.hasSuffix(";base64") else { return Array(Form.decode(text).utf8) }
        guard let bytes = Base64.decode(text) else {
            throw PhoneRefusal.picture("The data of the picture are not Base64.")
        }
        return bytes
    }
}
