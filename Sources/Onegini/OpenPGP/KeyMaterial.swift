import Crypto

extension OpenPGP {
    /// The numbers of a public key.
    enum KeyMaterial: Sendable {
        case rsa(PublicKey)
        case ed25519(PublicKey)
        case curve25519(AgreementMaterial)

        /// Source: RFC 4880 §5.5.2; RFC 6637 §9; for EdDSA draft-koch-eddsa-for-openpgp-04 §3.
        init(_ reader: inout Reader) throws(OpenPGPError) {
            let algorithm = try reader.byte()
            switch algorithm {
            case Algorithm.rsa: self = try .rsa(Self.rsa(&reader))
            case Algorithm.eddsa: self = try .ed25519(Self.ed25519(&reader))
            case Algorithm.ecdh: self = try .curve25519(AgreementMaterial(&reader))
            default: throw .keyAlgorithm(algorithm)
            }
        }

        var canSign: Bool {
            switch self {
            case .rsa, .ed25519: true
            case .curve25519: false
            }
        }

        var canEncrypt: Bool {
            switch self {
            case .rsa, .curve25519: true
            case .ed25519: false
            }
        }

        /// A long exponent would make every operation with the key dear.
        private static func rsa(_ reader: inout Reader) throws(OpenPGPError) -> PublicKey {
            let (modulus, exponent) = (try reader.number(), try reader.number())
            let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
            guard (2048...4096).contains(bits), (1...4).contains(exponent.count) else {
                throw .keySize(bits: bits)
            }
            return try OpenPGP.compute { try PublicKey(modulus: modulus, exponent: exponent) }
        }

        private static func ed25519(_ reader: inout Reader) throws(OpenPGPError) -> PublicKey {
            // The object identifier 1.3.6.1.4.1.11591.15.1.
            let point = try reader.point(
                of: [0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x0F, 0x01], Algorithm.eddsa)
            return try OpenPGP.compute { try PublicKey(ed25519: point) }
        }
    }
}
