package import Crypto

/// Signatures over free data: ECDSA over P-256 with SHA-256, or of protocol 4.0 over P-384 with SHA-384.
package enum DataSignature {
    package enum Form: Sendable {
        /// What the SDK makes and verifies.
        case der
        /// r and s, 32 or 48 bytes each, as in a JWS.
        case jose
    }

    package static func sign(_ data: [UInt8], by key: PrivateKey, form: Form = .der) throws -> [UInt8] {
        let (algorithm, curve) = rules(key.kind)
        let raw = try key.sign(data, with: algorithm)
        return form == .der ? try ECSignature.der(fromRaw: raw, curve) : raw
    }

    private static func rules(_ kind: KeyKind) -> (SignatureAlgorithm, Curve) {
        kind == .ec(.p384) ? (.es384, .p384) : (.es256, .p256)
    }

    /// A malformed signature is wrong as well.
    package static func isValid(
        _ signature: [UInt8], for data: [UInt8], by key: PublicKey, form: Form = .der
    ) -> Bool {
        let (algorithm, curve) = rules(key.kind)
        switch form {
        case .jose: return key.isValid(signature, for: data, with: algorithm)
        case .der:
            guard let raw = try? ECSignature.raw(fromDER: signature, curve) else { return false }
            return key.isValid(raw, for: data, with: algorithm)
        }
    }
}
