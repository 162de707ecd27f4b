import Crypto
import Testing

struct CurveAgreementTests {
    struct Vector: Decodable {
        let source: String
        let secret: HexBytes
        let x: HexBytes
        let y: HexBytes
        let peerX: HexBytes
        let peerY: HexBytes
        let shared: HexBytes
    }

    /// The order of P-256. Source: SP 800-186 §3.2.1.3.
    static let order = Hex.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551") ?? []

    @Test(arguments: vectors(Vector.self, "crypto/ecdh-p256.json"))
    func `both sides find the published secret`(_ vector: Vector) throws {
        let key = try PrivateKey(scalar: vector.secret.bytes)
        let peer = try PublicKey(x962: [4] + vector.peerX.bytes + vector.peerY.bytes)

        #expect(try key.publicKey.x962() == [4] + vector.x.bytes + vector.y.bytes)
        #expect(try key.sharedSecret(with: peer) == vector.shared.bytes)
    }

    @Test(arguments: vectors(Vector.self, "crypto/ecdh-p256.json"))
    func `a number and a point find the published secret without a key`(_ vector: Vector) throws {
        let (x, y) = (vector.peerX.bytes, vector.peerY.bytes)
        let point = try CurvePoint(x962: [4] + x + y)
        let scalar = SecretScalar(vector.secret.bytes)

        #expect(try scalar.sharedSecret(with: point) == vector.shared.bytes)
        #expect(try SecretScalar([0] + vector.secret.bytes).sharedSecret(with: point) == vector.shared.bytes)
        #expect(try CurvePoint(x962: [2 + (y[31] & 1)] + x) == point)
        #expect(point.x962 == [4] + x + y)
        #expect(try CurvePoint(PublicKey(.p256, x: x, y: y)) == point)
    }

    /// OpenSSL keeps such a key, and writes it, in the form in which it was read.
    @Test func `the point of a key in compressed form is given in both forms`() throws {
        let x = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        let y = "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
        // SubjectPublicKeyInfo of the base point (SP 800-186 §3.2.1.3), compressed. Source: RFC 5480 §2.
        let prefix = "3039301306072a8648ce3d020106082a8648ce3d030107032200"
        let key = try PublicKey(der: #require(Hex.decode(prefix + "03" + x)))

        #expect(try Hex.encode(key.x962()) == "04" + x + y)
        #expect(try Hex.encode(key.x962(compressed: true)) == "03" + x)
        #expect(try Hex.encode(key.point().y) == y)
    }

    @Test(arguments: vectors(Vector.self, "crypto/ecdh-p256.json"))
    func `a point is read from both of its forms and written in both`(_ vector: Vector) throws {
        let (x, y) = (vector.x.bytes, vector.y.bytes)
        let compressed = [2 + (y[31] & 1)] + x

        let key = try PublicKey(x962: compressed)
        #expect(try key == PublicKey(.p256, x: x, y: y))
        #expect(try key.x962() == [4] + x + y)
        #expect(try key.x962(compressed: true) == compressed)
        #expect(try key.der() == PublicKey(.p256, x: x, y: y).der())
        #expect(try PublicKey(x962: [3 - (y[31] & 1)] + x) != key)
    }

    @Test func `a point off the curve, at infinity, or in another form is refused`() throws {
        let vector = try #require(vectors(Vector.self, "crypto/ecdh-p256.json").first)
        let (x, y) = (vector.x.bytes, vector.y.bytes)
        let bent = y.dropLast() + [y[31] ^ 1]
        let forms: [[UInt8]] = [
            [], [0], [4], [2], [4] + x + bent, [6] + x + y, [7] + x + y, [4] + x, [2] + x + y, x + y,
            [4] + x + y + [0], [1] + x, [2] + [UInt8](repeating: 255, count: 32),
            // 1 - 3 + b is no square: no point has this x coordinate.
            [2] + [UInt8](repeating: 0, count: 31) + [1],
        ]

        for form in forms {
            #expect(throws: CryptoError.self, "\(Hex.encode(form))") { try PublicKey(x962: form) }
            #expect(throws: CryptoError.self, "\(Hex.encode(form))") { try CurvePoint(x962: form) }
        }
    }

    @Test func `a secret number is read with zeros before it and without`() throws {
        let short = try PrivateKey(scalar: [1])

        #expect(try short == PrivateKey(scalar: [UInt8](repeating: 0, count: 32) + [1]))
        #expect(try short.ecSecret() == [UInt8](repeating: 0, count: 31) + [1])
        // The base point. Source: SP 800-186 §3.2.1.3.
        let base = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        #expect(try Hex.encode(short.publicKey.point().x) == base)
    }

    @Test func `a secret number that is zero, or the order and above, is refused`() throws {
        let last = Self.order.dropLast() + [Self.order[31] - 1]

        let base = try CurvePoint(PrivateKey(scalar: [1]).publicKey)
        #expect(throws: Never.self) { try PrivateKey(scalar: Array(last)) }
        #expect(throws: Never.self) { try SecretScalar(Array(last)).sharedSecret(with: base) }
        for number in [[], [0], Self.order, [1] + Self.order] {
            #expect(throws: CryptoError.self) { try PrivateKey(scalar: number) }
            #expect(throws: CryptoError.self) { try SecretScalar(number).sharedSecret(with: base) }
        }
    }

    @Test(arguments: [Curve.p256, .p384, .p521])
    func `two new keys agree, in every size`(_ curve: Curve) throws {
        let (one, other) = (try PrivateKey.generate(.ec(curve)), try PrivateKey.generate(.ec(curve)))

        let secret = try one.sharedSecret(with: other.publicKey)
        #expect(secret.count == curve.coordinateCount)
        #expect(try other.sharedSecret(with: one.publicKey) == secret)
        #expect(try SecretScalar(one).sharedSecret(with: CurvePoint(other.publicKey)) == secret)
        #expect(try PrivateKey(curve, scalar: one.ecSecret()) == one)
        #expect(try PublicKey(curve, x962: one.publicKey.x962(compressed: true)) == one.publicKey)
    }

    @Test func `a pair from its number signs like any other`() throws {
        let key = try PrivateKey(scalar: [7])

        let signature = try key.sign([1, 2, 3], with: .es256)
        #expect(key.publicKey.isValid(signature, for: [1, 2, 3], with: .es256))
        #expect(!key.publicKey.isValid(signature, for: [1, 2, 4], with: .es256))
        #expect(try PrivateKey(pem: key.pem()) == key)
        #expect(try PublicKey(pem: key.publicKey.pem()) == key.publicKey)
    }

    @Test func `keys of two curves, or none, do not agree`() throws {
        let key = try PrivateKey.generate(.ec(.p256))
        let others = try [PrivateKey.generate(.ec(.p384)), PrivateKey.generate(.ed25519)]

        for other in others {
            #expect(throws: CryptoError.self) { try key.sharedSecret(with: other.publicKey) }
            #expect(throws: CryptoError.self) { try other.sharedSecret(with: key.publicKey) }
        }
        #expect(throws: CryptoError.self) { try others[1].publicKey.x962() }
        #expect(throws: CryptoError.self) { try CurvePoint(others[1].publicKey) }
        #expect(throws: CryptoError.self) { try SecretScalar(others[1]) }
        #expect(throws: CryptoError.self) {
            try SecretScalar(key).sharedSecret(with: CurvePoint(others[0].publicKey))
        }
    }
}
