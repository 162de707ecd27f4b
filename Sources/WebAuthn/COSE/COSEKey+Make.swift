package import Crypto

extension COSEKey {
    /// The COSE_Key of a key with which we sign: ES256, ES384, ES512, EdDSA or one of RSA.
    package init(_ key: PublicKey, _ algorithm: COSEAlgorithm) throws {
        var entries = [CBOREntry(CBOR(Label.algorithm), CBOR(algorithm.rawValue))]
        switch key.kind {
        case .ec(let curve):
            let point = try key.point()
            let number = curve == .p256 ? 1 : curve == .p384 ? 2 : 3
            entries += [
                CBOREntry(CBOR(Label.type), CBOR(2)), CBOREntry(CBOR(Label.curve), CBOR(number)),
                CBOREntry(CBOR(Label.x), .bytes(point.x)), CBOREntry(CBOR(Label.y), .bytes(point.y)),
            ]
        case .ed25519:
            entries += [
                CBOREntry(CBOR(Label.type), CBOR(1)), CBOREntry(CBOR(Label.curve), CBOR(6)),
                CBOREntry(CBOR(Label.x), .bytes(try key.ed25519Bytes())),
            ]
        case .rsa:
            let numbers = try key.rsaNumbers()
            entries += [
                CBOREntry(CBOR(Label.type), CBOR(3)),
                CBOREntry(CBOR(Label.modulus), .bytes(numbers.modulus)),
                CBOREntry(CBOR(Label.exponent), .bytes(numbers.exponent)),
            ]
        }
        // Read back, so that a key that no relying party would take is not made.
        try self.init(CBOR.map(entries).encoded)
    }
}
