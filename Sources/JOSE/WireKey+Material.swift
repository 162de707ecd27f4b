import Crypto

extension WireKey {
    /// - Throws: ``JOSEError/malformed(part:reason:)`` or ``CryptoError``.
    func material() throws -> KeyMaterial {
        switch (kty, crv) {
        case ("oct", _): return .secret(try bytes(k, "k"))
        case ("RSA", _): return try rsa()
        case ("OKP", "Ed25519"): return try ed25519()
        case ("EC", let name):
            guard let curve = name.flatMap(Curve.init(rawValue:)) else {
                throw JOSEError.malformed(part: "key", reason: "“crv” is not P-256, P-384 or P-521")
            }
            return try ec(curve)
        default: throw JOSEError.malformed(part: "key", reason: "“kty” is not RSA, EC, OKP (Ed25519) or oct")
        }
    }

    private func rsa() throws -> KeyMaterial {
        let modulus = try bytes(n, "n")
        let exponent = try bytes(e, "e")
        if d == nil { return .publicKey(try PublicKey(modulus: modulus, exponent: exponent)) }
        let secret = PrivateKey.RSANumbers(
            exponent: try bytes(d, "d"), primes: [try bytes(p, "p"), try bytes(q, "q")],
            exponents: [try bytes(dp, "dp"), try bytes(dq, "dq")], coefficient: try bytes(qi, "qi"))
        return .privateKey(try PrivateKey(.init(modulus: modulus, exponent: exponent), secret))
    }

    private func ec(_ curve: Curve) throws -> KeyMaterial {
        let (x, y) = (try bytes(x, "x"), try bytes(y, "y"))
        if d == nil { return .publicKey(try PublicKey(curve, x: x, y: y)) }
        return .privateKey(try PrivateKey(curve, x: x, y: y, secret: bytes(d, "d")))
    }

    private func ed25519() throws -> KeyMaterial {
        let publicKey = try PublicKey(ed25519: bytes(x, "x"))
        if d == nil { return .publicKey(publicKey) }
        let key = try PrivateKey(ed25519: bytes(d, "d"))
        guard key.publicKey == publicKey else {
            throw JOSEError.malformed(part: "key", reason: "“x” does not belong to “d”")
        }
        return .privateKey(key)
    }

    private func bytes(_ text: String?, _ name: String) throws -> [UInt8] {
        guard let text else { throw JOSEError.malformed(part: "key", reason: "“\(name)” is missing") }
        guard let bytes = Base64URL.decode(text) else {
            throw JOSEError.malformed(part: "key", reason: "“\(name)” is not base64url without padding")
        }
        return bytes
    }
}
