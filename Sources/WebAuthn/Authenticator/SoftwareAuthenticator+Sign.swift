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
        case .rs256: return try entropy.rsaKey()
        case .eddsa: return try PrivateKey(ed25519: entropy.bytes(32))
        default:
            // One in 2³² draws is above the order of the curve.
            for _ in 0..<8 {
                if let key = try? PrivateKey(.p256, scalar: entropy.bytes(32)) { return key }
            }
            throw SoftwareAuthenticatorError(.notAllowed, "no secret number for P-256 came from the entropy")
        }
    }
}

extension COSEAlgorithm {
    /// Those with which the software authenticator signs.
    fileprivate func signing() throws -> SignatureAlgorithm {
        switch self {
        case .es256: .es256
        case .eddsa: .eddsa
        case .rs256: .rs256
        default: throw SoftwareAuthenticatorError(.notSupported, "no signatures by \(name)")
        }
    }
}
