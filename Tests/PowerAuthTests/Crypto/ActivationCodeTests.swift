import Crypto
import Essentials
import Testing

@testable import PowerAuth

struct ActivationCodeTests {
    /// Codes that the SDK's own tests call valid.
    @Test(arguments: [
        "AAAAA-AAAAA-AAAAA-AAAAA", "MMMMM-MMMMM-MMMMM-MUTOA", "55555-55555-55555-55YMA",
        "W65WE-3T7VI-7FBS2-A4OYA", "X3TS3-TI35Z-JZDNT-TRPFA",
    ])
    func `valid codes are read`(_ text: String) throws {
        #expect(try ActivationCode(text).text == text)
    }

    @Test(arguments: [
        "", "AAAAA", "AAAAA-AAAAA-AAAAA-AAAAB", "AAAAA-AAAAA-AAAAA-AAAAQ", "AAAAB-AAAAA-AAAAA-AAAAA",
        "aaaaa-aaaaa-aaaaa-aaaaa", "AAAAAAAAAAAAAAAAAAAA", "AAAAA-AAAAA-AAAAA-AAAA",
        "AAAAA-AAAAA-AAAAA-AAAAA-",
        "AAAA-AAAAAA-AAAAA-AAAAA", " AAAAA-AAAAA-AAAAA-AAAAA", "AAAAA-AAAAA-AAAAA-AAAA=",
        "AAAAA-AAAA1-AAAAA-AAAAA",
        "R:AAAAA-AAAAA-AAAAA-AAAAA", "ÄÄÄÄÄ-AAAAA-AAAAA-AAAAA", "W65WE-3T7VI-7FBS2-A4OYQ",
    ])
    func `a code with another form or check sum is refused`(_ text: String) {
        #expect(throws: ProtocolFault.self) { try ActivationCode(text) }
    }

    @Test func `the worked example's code follows from its random bytes`() throws {
        let example = Example.whole["activationCode"]
        let code = try ActivationCode(random: example.hex("random"))
        let signature = try example.base64("oneValidSignatureBase64")

        #expect(try code.text == example.text("code"))
        #expect(try ActivationCode(code.text) == code)
        #expect(try code.qrText(signature: signature) == example.text("qrText"))
        #expect(code.qrText(signature: nil) == code.text)
        #expect(
            try DataSignature.isValid(
                signature, for: Array(code.text.utf8), by: Example.privateKey("master").publicKey))
        #expect(throws: ProtocolFault.self) { try ActivationCode(random: [1, 2, 3]) }
    }

    @Test(arguments: VectorEntry.all("v3/verify-activation-data-signature-v3.json"))
    func `published codes are valid and signed by their keys`(_ entry: VectorEntry) throws {
        let code = try ActivationCode(entry.text("activationCode"))
        let (key, text) = (try entry.publicKey("masterPublicKey"), Array(code.text.utf8))
        let signature = try entry.bytes("activationSignature")

        #expect(try entry.privateKey("masterPrivateKey").publicKey == key)
        #expect(DataSignature.isValid(signature, for: text, by: key))
        #expect(!DataSignature.isValid(signature, for: text + [0], by: key))
        let own = try code.signature(by: entry.privateKey("masterPrivateKey"))
        #expect(DataSignature.isValid(own, for: text, by: key))
        let raw = try ECSignature.raw(fromDER: signature, .p256)
        #expect(DataSignature.isValid(raw, for: text, by: key, form: .jose))
        #expect(!DataSignature.isValid(raw, for: text, by: key, form: .der))
        #expect(!DataSignature.isValid(signature, for: text, by: key, form: .jose))
    }

    @Test func `the SDK's configuration is that of the worked example`() throws {
        let example = Example.whole["application"]
        let configuration = try MobileSDKConfiguration(
            key: Example.applicationKey(), secret: Example.applicationSecret(),
            masterPublicKey: Example.privateKey("master").publicKey)

        #expect(try configuration.text == example.text("mobileSdkConfigBase64"))
        #expect(try Base64.decode(configuration.text) == example.hex("mobileSdkConfigHex"))
        #expect(configuration.text.count == 140)
    }

    @Test(arguments: [
        (0, "00"), (1, "01"), (0x7F, "7f"), (0x80, "8080"), (0x3FFF, "bfff"), (0x4000, "c0004000"),
        (0x3FFF_FFFF, "ffffffff"),
    ])
    func `a length takes one, two or four bytes`(_ count: Int, _ expected: String) {
        #expect(Hex.encode(MobileSDKConfiguration.count(count)) == expected)
    }

    @Test func `keys and secrets of applications are 16 bytes in Base64`() throws {
        #expect(
            try ApplicationKey(random: [UInt8](repeating: 0, count: 16)).text == "AAAAAAAAAAAAAAAAAAAAAA==")
        #expect(try ApplicationSecret(random: [UInt8](repeating: 0, count: 16)).decoded.count == 16)
        for text in ["", "AAAA", "AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAB==", "????"] {
            #expect(throws: ProtocolFault.self) { try ApplicationKey(text) }
            #expect(throws: ProtocolFault.self) { try ApplicationSecret(text) }
        }
    }

    struct Recovery: Decodable {
        let secret: String
        let nonce: String
        let code: String
        let puks: [String: String]
    }

    @Test func `recovery codes and their PUKs follow from seeds as a second implementation finds them`()
        throws
    {
        let list = try JSONDecoder().decode([Recovery].self, from: Data(powerAuthVector("recovery.json")))
        #expect(list.count == 2)

        for vector in list {
            let seed = try RecoverySeed(
                secret: SecretKey(#require(Hex.decode(vector.secret))),
                nonce: #require(Hex.decode(vector.nonce)))
            #expect(seed.code.text == vector.code)
            #expect(seed.code.recoveryText == "R:" + vector.code)
            for (index, puk) in vector.puks { #expect(try seed.puk(#require(UInt64(index))) == puk) }
        }
    }
}
