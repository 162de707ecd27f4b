import Crypto
import Essentials
import PowerAuth
import Testing

struct EnvelopeVectorTests {
    static let entries = ["30", "31", "32", "33"].flatMap { version in
        ["Application", "Activation"].flatMap {
            VectorEntry.all("v3-e2ee/E2ee_\($0)_Scope_Test_Vectors_\(version).json")
        }
    }

    @Test(arguments: entries)
    func `published requests are opened and their responses sealed`(_ entry: VectorEntry) throws {
        let vector = try ExchangeCase(entry)

        #expect(try vector.binding.base == entry.bytes("sharedInfo2Base"))
        try expectExchange(vector)
    }

    @Test(arguments: 0..<8)
    func `the worked example's exchanges have the same values on the way`(_ index: Int) throws {
        let example = ExchangeCase.examples[index]
        let vector = try ExchangeCase(example)
        let rules = vector.version.mobileProtocol
        let request = try EnvelopeRequest(vector.request, vector.version)
        let purpose = try #require(EnvelopePurpose(rawValue: example.text("sharedInfo1")))

        #expect(try purpose.scope.rawValue == example.text("scope"))
        #expect(try vector.binding.base == example.hex("sharedInfo2Base"))
        #expect(try rules.envelopeInfo(purpose, ephemeralKey: request.ephemeralKey) == example.hex("kdfInfo"))
        #expect(try rules.envelopeIV(vector.keys, nonce: request.freshness.nonce) == example.hex("requestIv"))
        let sharedInfo2 = rules.sharedInfo2(
            vector.binding, temporaryKeyID: request.temporaryKeyID, freshness: request.freshness,
            ephemeralKey: request.ephemeralKey)
        #expect(try sharedInfo2 == example.hex("requestSharedInfo2"))
        if !(example.json["associatedData"]?.isNull ?? true) {
            #expect(try sharedInfo2.ends(with: example.hex("associatedData")))
        }
        #expect(rules.usesTemporaryKeys == (try example.text("encryptionKeyUsed") == "temporary"))
        let response = rules.sharedInfo2(
            vector.binding, temporaryKeyID: request.temporaryKeyID,
            freshness: try rules.responseFreshness(
                to: request.freshness, nonce: { vector.nonce }, milliseconds: vector.milliseconds),
            ephemeralKey: nil)
        #expect(try response == example.hex("responseSharedInfo2"))
    }

    @Test(arguments: 0..<8)
    func `the worked example's requests are opened with the private key`(_ index: Int) throws {
        let example = ExchangeCase.examples[index]
        let vector = try ExchangeCase(example)
        let request = try EnvelopeRequest(vector.request, vector.version)
        let purpose = try #require(EnvelopePurpose(rawValue: example.text("sharedInfo1")))
        let key = try Example.scalar(example.text("encryptionKeyUsed"))

        let keys = try EnvelopeKeys(
            ephemeralKey: request.ephemeralKey, privateKey: key, purpose: purpose, version: vector.version)
        #expect(keys == vector.keys)
        let envelope = try Envelope.open(request, privateKey: key, purpose: purpose, binding: vector.binding)
        #expect(envelope.plaintext == vector.requestPlaintext)
        try expectExchange(vector)
    }

    private func expectExchange(_ vector: ExchangeCase) throws {
        let envelope = try vector.open()
        #expect(envelope.plaintext == vector.requestPlaintext)
        let response = try envelope.seal(
            vector.responsePlaintext, nonce: vector.nonce, milliseconds: vector.milliseconds)
        #expect(response.json == vector.response)
        #expect(try JSONValue(parsing: response.bytes) == vector.response)
    }
}

extension [UInt8] {
    fileprivate func ends(with other: [UInt8]) -> Bool { Array(suffix(other.count)) == other }
}
