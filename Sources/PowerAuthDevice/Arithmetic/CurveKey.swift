import Crypto
import DeviceKit

/// What the device does with keys of P-256, and of P-384 in protocol 4.0, beside agreeing on secrets.
enum CurveKey {
    /// A key whose secret number is drawn; a number outside of the curve's order, one of four billion, is drawn again.
    static func generate(_ draw: (Int) -> [UInt8], on curve: Curve = .p256) throws -> PrivateKey {
        for _ in 0..<8 {
            if let key = try? PrivateKey(curve, scalar: draw(curve.coordinateCount)) { return key }
        }
        throw DeviceError("eight numbers that were drawn are not a key")
    }

    /// Whether the signature, in DER, is that of the message.
    static func isValid(_ signature: [UInt8], for message: [UInt8], _ key: PublicKey) -> Bool {
        let isOf384 = key.kind == .ec(.p384)
        // What is no DER is no signature.
        guard let raw = try? ECSignature.raw(fromDER: signature, isOf384 ? .p384 : .p256) else {
            return false
        }
        return key.isValid(raw, for: message, with: isOf384 ? .es384 : .es256)
    }
}
