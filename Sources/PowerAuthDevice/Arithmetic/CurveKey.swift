import Crypto
import DeviceKit

/// What the device does with keys of P-256 beside agreeing on secrets.
enum CurveKey {
    /// A key whose secret number is drawn; a number outside of the curve's order, one of four billion, is drawn again.
    static func generate(_ draw: (Int) -> [UInt8]) throws -> PrivateKey {
        for _ in 0..<8 {
            if let key = try? PrivateKey(scalar: draw(32)) { return key }
        }
        throw DeviceError("eight numbers that were drawn are not a key")
    }

    /// Whether the signature, in DER, is that of the message.
    static func isValid(_ signature: [UInt8], for message: [UInt8], _ key: PublicKey) -> Bool {
        // What is no DER is no signature.
        guard let raw = try? ECSignature.raw(fromDER: signature, .p256) else { return false }
        return key.isValid(raw, for: message, with: .es256)
    }
}
