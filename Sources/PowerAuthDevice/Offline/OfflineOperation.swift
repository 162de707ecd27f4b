import DeviceKit
import Essentials

/// An operation that is read from a QR code, without any network.
package struct OfflineOperation: Sendable, Equatable {
    /// Whose signature the text carries.
    package enum Signer: Character, Sendable {
        case application = "0"
        case activation = "1"
        /// A key that both sides of an activation of protocol 4.0 have.
        case shared = "2"
    }

    package let id: String
    package let title: String
    package let message: String
    package let data: String
    /// `B` biometry allowed, `X` buttons turned around, `F` fraud warning, `C` not during a call.
    package let flags: Set<Character>
    /// Eight digits, where the operation asks for nearness.
    package let proximityOTP: String?
    /// Base64 of 16 bytes
    package let nonce: String
    package let signer: Signer
    /// DER; of ``Signer/shared`` the 32 bytes of a MAC.
    package let signature: [UInt8]
    /// The text in front of the signature.
    package let signedText: String

    package var allowsBiometry: Bool { flags.contains("B") }

    /// - Throws: ``DeviceError`` for fewer than seven lines, or a nonce or signature that is none.
    package init(parsing text: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count >= 7, let last = lines.last, let kind = last.first else {
            throw DeviceError("the QR code has \(lines.count) lines; 7 are the fewest")
        }
        guard let signer = Signer(rawValue: kind) else {
            throw DeviceError("the signer “\(kind)” is unknown")
        }
        id = lines[0]
        title = Self.unescaped(lines[1])
        message = Self.unescaped(lines[2])
        data = lines[3]
        flags = Set(lines[4])
        proximityOTP = lines.count >= 8 ? lines[5] : nil
        nonce = lines[lines.count - 2]
        _ = try Wire.bytes(nonce, "nonce", count: 16)
        self.signer = signer
        signature = try Wire.bytes(String(last.dropFirst()), "signature")
        signedText = String(text.dropLast(last.count - 1))
        guard !id.isEmpty else { throw DeviceError("the QR code has no id of an operation") }
        guard proximityOTP.map({ $0.utf8.count >= 6 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) ?? true
        else {
            throw DeviceError("“\(lines[5])” is not a code of digits")
        }
    }

    /// What the device signs.
    var body: [UInt8] { Array([id, data, proximityOTP].compactMap(\.self).joined(separator: "&").utf8) }

    private static func unescaped(_ text: String) -> String {
        var (result, isEscaped) = ("", false)
        for character in text {
            switch (isEscaped, character) {
            case (false, "\\"):
                isEscaped = true
                continue
            case (true, "n"): result.append("\n")
            default: result.append(character)
            }
            isEscaped = false
        }
        return result
    }
}
