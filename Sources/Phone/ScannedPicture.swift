import Crypto
import Essentials
import HTTP
import QRCode

/// A picture of a QR code that a phone is shown: an SVG, or a PNG or SVG as a data URL (RFC 2397).
enum ScannedPicture {
    /// What the code says; a text that is no picture stays as it is.
    ///
    /// - Throws: ``PhoneRefusal`` for pictures that this program does not draw so.
    static func text(in scanned: String) throws -> String {
        guard let picture = try picture(in: scanned) else { return scanned }
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

    private static func picture(in scanned: String) throws -> [UInt8]? {
        if scanned.hasPrefix("<svg") { return Array(scanned.utf8) }
        guard scanned.hasPrefix("data:image/"), let comma = scanned.firstIndex(of: ",") else { return nil }
        let (head, body) = (scanned[..<comma], scanned[scanned.index(after: comma)...])
        guard head.hasPrefix("data:image/png") || head.hasPrefix("data:image/svg+xml") else {
            throw PhoneRefusal.picture(
                "Pictures are read as PNG or SVG, not as \(head.dropFirst(5).prefix(40)); give the text of the code instead."
            )
        }
        guard head.hasSuffix(";base64") else { return Array(Form.decode(body).utf8) }
        guard let bytes = Base64.decode(String(body)) else {
            throw PhoneRefusal.picture("The data of the picture are not Base64.")
        }
        return bytes
    }
}
