import Crypto

/// The members of a JWK that make the key, as base64url text. Source: RFC 7518 §6, RFC 8037 §2.
struct WireKey: Codable {
    var kty: String
    var crv: String?
    var x: String?
    var y: String?
    var d: String?
    var n: String?
    var e: String?
    var p: String?
    var q: String?
    var dp: String?
    var dq: String?
    var qi: String?
    var k: String?

    init(_ material: KeyMaterial) throws {
        switch material {
        case .publicKey(let key): try self.init(key)
        case .privateKey(let key): try self.init(key)
        case .secret(let secret): self.init(kty: "oct", k: Base64URL.encode(secret))
        }
    }

    /// The members of the thumbprint, in the order of their names. Source: RFC 7638 §3.2, RFC 8037 §2.
    var required: [(name: String, value: String)] {
        [("crv", crv), ("e", e), ("k", k), ("kty", kty), ("n", n), ("x", x), ("y", y)]
            .compactMap { name, value in value.map { (name, $0) } }
    }
}

extension WireKey {
    private init(kty: String, k: String? = nil) {
        self.kty = kty
        self.k = k
    }

    private init(_ key: PublicKey) throws {
        switch key.kind {
        case .rsa:
            let numbers = try key.rsaNumbers()
            self.init(kty: "RSA")
            n = Base64URL.encode(numbers.modulus)
            e = Base64URL.encode(numbers.exponent)
        case .ec(let curve):
            let point = try key.point()
            self.init(kty: "EC")
            crv = curve.rawValue
            x = Base64URL.encode(point.x)
            y = Base64URL.encode(point.y)
        case .ed25519:
            self.init(kty: "OKP")
            crv = "Ed25519"
            x = Base64URL.encode(try key.ed25519Bytes())
        }
    }

    private init(_ key: PrivateKey) throws {
        try self.init(key.publicKey)
        switch key.kind {
        case .rsa:
            let numbers = try key.rsaNumbers()
            d = Base64URL.encode(numbers.exponent)
            (p, q) = (Base64URL.encode(numbers.primes[0]), Base64URL.encode(numbers.primes[1]))
            (dp, dq) = (Base64URL.encode(numbers.exponents[0]), Base64URL.encode(numbers.exponents[1]))
            qi = Base64URL.encode(numbers.coefficient)
        case .ec: d = Base64URL.encode(try key.ecSecret())
        case .ed25519: d = Base64URL.encode(try key.ed25519Bytes())
        }
    }
}
