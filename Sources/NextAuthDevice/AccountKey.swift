import Crypto
import DeviceKit

/// A key pair of P-256: of an account, or of biometrics.
package struct AccountKey: Sendable, Codable, Equatable {
    /// The secret number: 32 bytes, most significant first.
    private let secret: [UInt8]
    /// The SubjectPublicKeyInfo in base64url.
    package let publicText: String

    package init(drawnFrom draw: (Int) -> [UInt8]) throws {
        // A number outside of the curve's order, one of four billion, is drawn again.
        for _ in 0..<8 {
            let bytes = draw(32)
            guard let key = try? PrivateKey(scalar: bytes) else { continue }
            (secret, publicText) = (bytes, Base64URL.encode(try key.publicKey.der()))
            return
        }
        throw DeviceError("eight numbers that were drawn are not a key")
    }

    /// ECDSA with SHA-256, in base64url.
    ///
    /// - Parameter isRaw: whether r and s stand side by side, and not in DER.
    package func sign(_ text: String, isRaw: Bool = false) throws -> String {
        let raw = try PrivateKey(scalar: secret).sign(Array(text.utf8), with: .es256)
        return Base64URL.encode(isRaw ? raw : try ECSignature.der(fromRaw: raw, .p256))
    }
}

/// What a device signs: each line with a line feed behind it.
package struct DeviceText: Sendable {
    /// Of the flow, or of the installation outside of flows.
    let id: String
    let type: String
    let challenge: String
    /// An account's id, or the public key of an enrolment.
    let subject: String
    /// Of a transaction alone.
    let approves: Bool?

    package init(id: String, type: String, challenge: String, subject: String = "", approves: Bool? = nil) {
        (self.id, self.type, self.challenge) = (id, type, challenge)
        (self.subject, self.approves) = (subject, approves)
    }

    package var text: String {
        let decision = approves.map { $0 ? "1" : "0" } ?? ""
        return ["understudy-nextauth-1", id, type, challenge, subject, decision].map { $0 + "\n" }.joined()
    }
}
