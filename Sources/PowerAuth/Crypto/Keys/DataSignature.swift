package import Crypto

/// Signatures over free data: ECDSA over P-256 with SHA-256.
package enum DataSignature {
    package enum Form: Sendable {
        /// What the SDK makes and verifies.
        case der
        /// r and s, 32 bytes each, as in a JWS.
        case jose
    }

    /// In DER.
    package static func sign(_ data: [UInt8], by key: PrivateKey) throws -> [UInt8] {
        try ECSignature.der(fromRaw: key.sign(data, with: .es256), .p256)
    }

    /// A malformed signature is wrong as well.
    package static func isValid(
        _ signature: [UInt8], for data: [UInt8], by key: PublicKey, form: Form = .der
    ) -> Bool {
        switch form {
        case .jose: return key.isValid(signature, for: data, with: .es256)
        case .der:
            guard let raw = try? ECSignature.raw(fromDER: signature, .p256) else { return false }
            return key.isValid(raw, for: data, with: .es256)
        }
    }
}
