import Crypto
import Testing

struct KeyTests {
    /// A key made and signatures verified by pyca/cryptography.
    struct Foreign: Decodable {
        let alg: String
        let publicPEM: String
        let privatePEM: String
    }

    @Test(arguments: vectors(Foreign.self, "jose/interop.json"))
    func `keys of another implementation are read and written back unchanged`(_ foreign: Foreign) throws {
        let privateKey = try PrivateKey(pem: foreign.privatePEM)
        let publicKey = try PublicKey(pem: foreign.publicPEM)

        #expect(privateKey.publicKey == publicKey)
        #expect(try privateKey.pem() == foreign.privatePEM)
        #expect(try publicKey.pem() == foreign.publicPEM)
        #expect(try PublicKey(der: publicKey.der()) == publicKey)
    }

    @Test(arguments: [KeyKind.ec(.p256), .ec(.p384), .ec(.p521), .ed25519, .rsa(bits: 2048)])
    func `a generated key says its kind and differs from another`(_ kind: KeyKind) throws {
        let key = try PrivateKey.generate(kind)

        #expect(key.kind == kind)
        #expect(key.publicKey.kind == kind)
        #expect(try PrivateKey(pem: key.pem()) == key)
        if case .rsa = kind { return }
        #expect(try PrivateKey.generate(kind) != key)
    }

    @Test func `a key is made of its numbers`() throws {
        let rsa = try PrivateKey.generate(.rsa(bits: 2048))
        let ec = try PrivateKey.generate(.ec(.p521))
        let point = try ec.publicKey.point()

        #expect(try PrivateKey(rsa.publicKey.rsaNumbers(), rsa.rsaNumbers()) == rsa)
        #expect(try PrivateKey(.p521, x: point.x, y: point.y, secret: ec.ecSecret()) == ec)
    }

    @Test func `a point off the curve, of another key, or of a wrong size is refused`() throws {
        let (key, other) = (try PrivateKey.generate(.ec(.p256)), try PrivateKey.generate(.ec(.p256)))
        let (point, otherPoint) = (try key.publicKey.point(), try other.publicKey.point())
        let secret = try key.ecSecret()

        #expect(throws: CryptoError.self) { try PublicKey(.p256, x: point.x, y: otherPoint.y) }
        #expect(throws: CryptoError.self) { try PublicKey(.p256, x: point.x.dropFirst() + [], y: point.y) }
        #expect(throws: CryptoError.self) { try PublicKey(.p384, x: point.x, y: point.y) }
        #expect(throws: CryptoError.self) {
            try PrivateKey(.p256, x: otherPoint.x, y: otherPoint.y, secret: secret)
        }
    }

    @Test func `what is no key, or too small, is an error with a reason`() throws {
        let small = [UInt8](repeating: 255, count: 64)

        #expect(throws: CryptoError.self) { try PrivateKey(pem: "") }
        #expect(throws: CryptoError.self) { try PublicKey(pem: "-----BEGIN PUBLIC KEY-----\nAAAA\n") }
        #expect(throws: CryptoError.self) { try PublicKey(der: [0x30, 0]) }
        #expect(throws: CryptoError.self) { try PublicKey(ed25519: [1, 2, 3]) }
        let error = #expect(throws: CryptoError.self) { try PublicKey(modulus: small, exponent: [1, 0, 1]) }
        #expect(error?.message == "an RSA key of 512 bits; 1024 to 16384 are accepted")
    }

    @Test func `an encrypted key is refused without a question on the terminal`() {
        // openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes128
        let pem = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhhSc2vWG5lAAICCAAw
            DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEEI3JicdWkBSMh2/4MGgWZ/cEgZAW
            GCnDpNIYdPHNO39hXYuTDZEyAZ/ZO7NlZVgaecyz/q9JDfGYiU1wjXU+ut/8KGLb
            ql8+bOkFAbq8aoUD/35qb0dzamivANHjLSpe1wJk+yNQziJ083lT4tkqsSM9mT4e
            uheW+/xPJcSSt06btwJ5TavtsDLhR/L7J1SmTWbVpWFXGkYIOOuQk/CCK6qBQqM=
            -----END ENCRYPTED PRIVATE KEY-----
            """

        #expect(throws: CryptoError.self) { try PrivateKey(pem: pem) }
    }
}
