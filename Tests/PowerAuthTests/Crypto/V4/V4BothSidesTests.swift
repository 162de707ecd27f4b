import Crypto
import Essentials
import PostQuantum
import Testing

@testable import PowerAuth
@testable import PowerAuthDevice

/// Server and device, which share no arithmetic of the protocol.
@Suite struct V4BothSidesTests {
    private func exchange(_ algorithm: Protocol4.Algorithm) throws -> Protocol4.SecretExchange {
        try Protocol4.SecretExchange(
            algorithm, point: PrivateKey.generate(.ec(.p384)),
            lattice: algorithm.exchange.map { try MLKEM.DecapsulationKey($0, seed: [UInt8](0..<64)) })
    }

    private func draw() throws -> V4.SharedSecretDraw {
        V4.SharedSecretDraw(
            ephemeral: try PrivateKey.generate(.ec(.p384)), salt: [UInt8](1...32), message: [UInt8](2...33))
    }

    @Test(arguments: Protocol4.Algorithm.allCases)
    func `both sides share a secret`(_ algorithm: Protocol4.Algorithm) throws {
        let exchange = try exchange(algorithm)
        let request = try V4.SharedSecretRequest(exchange.request())
        let shared = try V4.SharedSecret.answer(request, drawing: draw())

        #expect(try exchange.secret(shared.json) == shared.bytes)
        #expect(shared.bytes.count == 32)
        #expect(try self.exchange(algorithm).secret(shared.json) != shared.bytes)
    }

    @Test(arguments: Protocol4.Algorithm.allCases)
    func `a temporary key is told under every signature`(_ algorithm: Protocol4.Algorithm) throws {
        let secret = try ApplicationSecret(random: [UInt8](0..<16))
        let key = try ApplicationKey(random: [UInt8](16..<32))
        let exchange = try exchange(algorithm)
        let body = try JSONValue.object([
            "applicationKey": .string(key.text), "challenge": "AAAA",
            "sharedSecretRequest": exchange.request(),
        ]).bytes
        let signed = Base64URL.encode(Array(#"{"alg":"HS384"}"#.utf8)) + "." + Base64URL.encode(body)
        let code = Digest.sha384.authenticationCode(
            of: Array(signed.utf8),
            key: try Protocol4.temporaryKeyRequestKey(applicationSecret: secret.decoded))
        let token = try V4.KeyedToken(unverified: signed + "." + Base64URL.encode(code))

        #expect(token.isAuthentic(try V4.temporaryKeyRequest(of: secret)))
        let request = try V4.TemporaryKeyRequest(token)
        let shared = try V4.SharedSecret.answer(request.sharedSecret, drawing: draw())
        let grant = V4.TemporaryKeyGrant(id: "an-id", sharedSecret: shared, issued: 1_000, expires: 301_000)
        let signer = V4.Signer(
            first: try PrivateKey.generate(.ec(.p384)),
            second: try request.sharedSecret.suite.signature.map {
                try MLDSA.SigningKey($0, seed: [UInt8](0..<32))
            })
        let answer = try signer.sign(
            grant.claims(answering: request, activationID: nil), randomness: [UInt8](0..<32))
        let claims = try Protocol4.SignedAnswer.claims(
            answer, by: (signer.first.publicKey, signer.second?.verificationKey))
        #expect(try exchange.secret(claims["sharedSecretResponse"]) == shared.bytes)
        #expect(claims["keyId"] == "an-id")
        #expect(claims["challenge"] == "AAAA")
        #expect(claims["expiration"] == 301_000)
    }
}
