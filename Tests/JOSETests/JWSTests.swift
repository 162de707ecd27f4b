import Crypto
import JOSE
import Testing

struct JWSTests {
    @Test(arguments: TokenVector.all)
    func `tokens of the standards verify, in their bytes`(_ vector: TokenVector) throws {
        let verified = try JWS.verify(vector.token, keys: [vector.key])

        #expect(String(decoding: verified.payload, as: UTF8.self) == vector.payload)
        #expect(vector.name.hasSuffix(verified.header.algorithm.name))
    }

    @Test func `RS256 and EdDSA sign to the very tokens of the standards`() throws {
        for vector in TokenVector.all where vector.name.contains("A.2") || vector.name.contains("A.4") {
            let header = try JWS.verify(vector.token, keys: [vector.key]).header

            let ours = try JWS.sign(Array(vector.payload.utf8), header: header, key: vector.key.material)
            #expect(ours == vector.token)
        }
    }

    @Test(arguments: ForeignToken.all)
    func `tokens of another implementation verify, by JWK and by PEM`(_ foreign: ForeignToken) throws {
        let key = JWK(.publicKey(try PublicKey(pem: foreign.publicPEM)))

        for key in [foreign.publicJWK, key] {
            let verified = try JWS.verify(changing(foreign.token, part: 0) { $0 }, keys: [key.named("k")])
            #expect(verified.header == JWSHeader(.keyPair(try algorithm(foreign.alg)), keyID: "k"))
            #expect(verified.payload == Array(#"{"sub":"ada","n":1}"#.utf8))
        }
    }

    @Test(arguments: ForeignToken.all)
    func `what we sign verifies with the public key alone`(_ foreign: ForeignToken) throws {
        let key = KeyMaterial.privateKey(try PrivateKey(pem: foreign.privatePEM))
        let header = JWSHeader(.keyPair(try algorithm(foreign.alg)), keyID: "k", type: "JWT")

        let token = try JWS.sign([1, 2, 3], header: header, key: key)
        let verified = try JWS.verify(token, keys: [foreign.publicJWK])
        #expect(verified.header == header)
        #expect(verified.payload == [1, 2, 3])
    }

    @Test(arguments: TokenVector.all)
    func `a changed payload or signature is a wrong signature`(_ vector: TokenVector) throws {
        let key = vector.key.named("a")

        for part in [1, 2] {
            let bent = changing(vector.token, part: part) { text in
                (text.hasPrefix("A") ? "B" : "A") + text.dropFirst()
            }
            #expect(throws: JOSEError.signatureWrong(keyID: "a")) {
                try JWS.verify(bent, keys: [key.named("a")])
            }
        }
    }

    @Test func `a header with any text is written as JSON that reads back`() throws {
        let header = JWSHeader(.hs256, keyID: "a\"\\\n\u{1}ż", type: "at+jwt")
        let key = KeyMaterial.secret([UInt8](repeating: 7, count: 32))

        let token = try JWS.sign([], header: header, key: key)
        #expect(try JWS.verify(token, keys: [JWK(key, keyID: header.keyID)]).header == header)
    }

    private func algorithm(_ name: String) throws -> SignatureAlgorithm {
        try #require(SignatureAlgorithm(rawValue: name))
    }
}

extension JWK {
    /// The key under an id.
    func named(_ keyID: String) -> JWK { JWK(material, keyID: keyID, algorithm: algorithm, use: use) }
}
