import Crypto

extension SoftwareAuthenticator {
    var flags: AuthenticatorFlags {
        let all: [(Bool, AuthenticatorFlags)] = [
            (behaviour.isUserPresent, .userPresent), (behaviour.isUserVerified, .userVerified),
            (behaviour.isBackupEligible, .backupEligible), (behaviour.isBackedUp, .backedUp),
        ]
        return all.filter(\.0).reduce(into: []) { $0.formUnion($1.1) }
    }

    /// In the form of Web Authentication Level 3 §6.5.5: DER for ECDSA.
    func sign(
        _ message: [UInt8], _ key: PrivateKey, _ algorithm: COSEAlgorithm
    ) throws -> [UInt8] {
        var signature = try key.sign(message, with: algorithm.signing())
        if case .ec(let curve) = key.kind {
            signature = try ECSignature.der(fromRaw: signature, curve)
        }
        if behaviour.breaksSignature, let last = signature.indices.last { signature[last] ^= 1 }
        return signature
    }

    /// A new key pair.
    func makeKey(_ algorithm: COSEAlgorithm) throws -> PrivateKey {
        switch algorithm {
        case .rs256, .ps256: return try entropy.rsaKey()
        case .eddsa: return try PrivateKey(ed25519: entropy.bytes(32))
        case .es384: return try makeKey(.p384)
        case .es512: return try makeKey(.p521)
        default: return try makeKey(.p256)
        }
    }

    private func makeKey(_ curve: Curve) throws -> PrivateKey {
        // One in 2³² draws is above the order of P-256; that of P-521 is just below 2⁵²¹, one bit above 65 bytes.
        for _ in 0..<8 {
            var scalar = try entropy.bytes(curve.coordinateCount)
            if curve == .p521 { scalar[0] &= 1 }
            if let key = try? PrivateKey(curve, scalar: scalar) { return key }
        }
        throw SoftwareAuthenticatorError(
            .notAllowed, "no secret number for \(curve.rawValue) came from the entropy")
    }
}

extension COSEAlgorithm {
    /// Those with which the software authenticator signs.
    fileprivate func signing() throws -> SignatureAlgorithm {
        switch self {
        case .es256: .es256
        case .es384: .es384
        case .es512: .es512
        case .ps256: .ps256
        case .eddsa: .eddsa
        case .rs256: .rs256
        default: throw SoftwareAuthenticatorError(.notSupported, "no signatures by \(name)")
        }
    }
}
