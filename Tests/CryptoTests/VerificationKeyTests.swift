import Crypto
import Testing

@Suite struct VerificationKeyTests {
    /// A key and a signature of pyca/cryptography.
    struct Foreign: Decodable, Sendable {
        let name: String
        let scheme: String
        let digest: String?
        let spki: HexBytes
        let message: HexBytes
        let signature: HexBytes

        var kind: SignatureScheme {
            let digest = digest.flatMap(Digest.init) ?? .sha1
            return switch scheme {
            case "ecdsa": .ecdsa(digest)
            case "rsaPSS": .rsaPSS(digest)
            case "rsaPKCS1": .rsaPKCS1(digest)
            default: .edwards
            }
        }
    }

    @Test(arguments: vectors(Foreign.self, "crypto/verification.json"))
    func `signatures of another implementation are verified, and no other`(_ foreign: Foreign) throws {
        let key = try VerificationKey(der: foreign.spki.bytes)
        let (message, signature) = (foreign.message.bytes, foreign.signature.bytes)

        #expect(key.isValid(signature, for: message, by: foreign.kind))
        #expect(!key.isValid(signature, for: message + [0], by: foreign.kind))
        #expect(!key.isValid(signature.dropLast(), for: message, by: foreign.kind))
        #expect(!key.isValid([], for: message, by: foreign.kind))
        for other in vectors(Foreign.self, "crypto/verification.json").map(\.kind) where other != foreign.kind
        {
            #expect(!key.isValid(signature, for: message, by: other))
        }
        #expect(try VerificationKey(der: key.der()) == key)
    }

    @Test(arguments: [KeyKind.ec(.p256), .ec(.p384), .ec(.p521), .ed25519, .rsa(bits: 2048)])
    func `the keys with which we sign verify too`(_ kind: KeyKind) throws {
        let key = try PrivateKey.generate(kind)
        let algorithm = try #require(SignatureAlgorithm.allCases.first { $0.accepts(kind) })
        var signature = try key.sign([1, 2, 3], with: algorithm)
        if case .ec(let curve) = kind { signature = try ECSignature.der(fromRaw: signature, curve) }
        let digest = Digest(rawValue: "SHA" + algorithm.rawValue.dropFirst(2))
        let scheme: SignatureScheme =
            switch kind {
            case .ec: .ecdsa(try #require(digest))
            case .rsa: .rsaPKCS1(try #require(digest))
            case .ed25519: .edwards
            }
        #expect(try VerificationKey(key.publicKey).isValid(signature, for: [1, 2, 3], by: scheme))
    }

    @Test func `a point off the curve, a wrong size and bytes after a key are refused`() throws {
        let key = try PrivateKey.generate(.ec(.p256)).publicKey
        let point = try key.point()
        _ = try VerificationKey(.p256, x: point.x, y: point.y)
        #expect(throws: CryptoError.self) { try VerificationKey(.p256, x: point.y, y: point.x) }
        #expect(throws: CryptoError.self) { try VerificationKey(.secp256k1, x: point.x, y: point.y) }
        #expect(throws: CryptoError.self) { try VerificationKey(.p384, x: point.x, y: point.y) }
        #expect(throws: CryptoError.self) { try VerificationKey(ed25519: [1]) }
        #expect(throws: CryptoError.self) { try VerificationKey(ed448: [1]) }
        #expect(throws: CryptoError.self) { try VerificationKey(der: key.der() + [0]) }
        #expect(throws: CryptoError.self) { try VerificationKey(der: []) }
        let small = [UInt8](repeating: 255, count: 64)
        #expect(throws: CryptoError.self) { try VerificationKey(modulus: small, exponent: [1, 0, 1]) }
        // A key for agreement signs nothing: RFC 8410 §10.1 has one of X25519.
        let agreement =
            "302a300506032b656e032100e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"
        #expect(throws: CryptoError.self) { try VerificationKey(der: Hex.decode(agreement) ?? []) }
    }
}
