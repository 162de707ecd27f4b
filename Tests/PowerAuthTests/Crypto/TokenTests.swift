import Crypto
import PowerAuth
import Testing

struct TokenTests {
    @Test(arguments: [
        (ProtocolVersion.v30, "digest31Base64"), (.v31, "digest31Base64"), (.v32, "digest32Base64"),
        (.v33, "digest33Base64"),
    ])
    func `digests are those of the worked example, and of no other version`(
        _ version: ProtocolVersion, _ name: String
    ) throws {
        let example = Example.whole["token"]
        let secret = try TokenSecret(example.base64("tokenSecretBase64"))
        let (nonce, timestamp) = (try example.nonce("nonceBase64"), try example.text("timestamp"))
        let rules = version.mobileProtocol

        #expect(try rules.tokenDigest(secret, nonce: nonce, timestamp: timestamp) == example.base64(name))
        for other in ["digest31Base64", "digest32Base64", "digest33Base64"] {
            let digest = try example.base64(other)
            #expect(
                rules.isTokenDigest(digest, secret, nonce: nonce, timestamp: timestamp) == (other == name))
        }
        let digest = try example.base64(name)
        #expect(!rules.isTokenDigest(digest, secret, nonce: nonce, timestamp: "0" + timestamp))
        #expect(!rules.isTokenDigest(digest.dropLast(), secret, nonce: nonce, timestamp: timestamp))
        let other = try TokenSecret([UInt8](repeating: 0, count: 16))
        #expect(!rules.isTokenDigest(digest, other, nonce: nonce, timestamp: timestamp))
    }
}
