import Crypto
import Essentials
import PowerAuth
import Testing

struct AuthenticationCodeTests {
    static let online = VectorEntry.all("v3/signatures-v3.json") + VectorEntry.all("v3/signatures-v31.json")

    @Test(arguments: online)
    func `online codes are the published ones`(_ entry: VectorEntry) throws {
        let versions: [ProtocolVersion] = entry.file.contains("v31") ? [.v31, .v32, .v33] : [.v30]

        for version in versions {
            #expect(
                try code(entry, version.mobileProtocol.authenticationCodeFormat) == entry.text("signature"))
        }
    }

    @Test(arguments: VectorEntry.all("v3/signatures-offline.json"))
    func `offline codes are the published ones`(_ entry: VectorEntry) throws {
        let format = try #require(
            AuthenticationCodeFormat.offline(digits: entry.number("signatureComponentLength")))

        #expect(try code(entry, format) == entry.text("signature"))
    }

    @Test func `the vectors have every type of code and every offline length`() throws {
        let types = try Set(Self.online.map { try $0.text("signatureType") })
        let lengths = try Set(
            VectorEntry.all("v3/signatures-offline.json").map { try $0.number("signatureComponentLength") })

        #expect(types.isSubset(of: SignatureType.allCases.map(\.rawValue)))
        #expect(
            types.isSuperset(of: ["possession", "possession_knowledge", "possession_knowledge_biometry"]))
        #expect(lengths == [4, 5, 6, 7, 8])
        #expect(AuthenticationCodeFormat.offline(digits: 3) == nil)
        #expect(AuthenticationCodeFormat.offline(digits: 9) == nil)
    }

    private func code(_ entry: VectorEntry, _ format: AuthenticationCodeFormat) throws -> String {
        let type = try #require(SignatureType(entry.text("signatureType")))
        let code = try AuthenticationCode.compute(
            type, keys: entry.factorKeys(), counter: HashCounter(entry.bytes("counterData")),
            data: NormalizedData(entry.bytes("data")), format: format)
        #expect(code.utf8.count == format.count(factors: type.factors.count))
        #expect(format.isWellFormed(code, factors: type.factors.count))
        return code
    }

    @Test func `the worked example has the same data, counter and codes`() throws {
        let example = Example.whole["signature"]
        let counter = try HashCounter(example.hex("ctrData"))
        let data = try NormalizedData(
            method: "post", uriID: example.text("uriId"), nonce: example.nonce("nonceBase64"),
            body: example.hex("bodyHex"), secret: Example.applicationSecret())

        #expect(try String(decoding: data.bytes, as: UTF8.self) == example.text("dataToSign"))
        #expect(try counter.next.data == example.hex("nextCtrData"))
        let keys = try Example.derivedKeys().factors
        for (part, version) in [
            ("signature30", ProtocolVersion.v30), ("signature31", .v31), ("signature31", .v33),
        ] {
            for (name, code) in try #require(example[part].json.object) {
                let computed = try AuthenticationCode.compute(
                    #require(SignatureType(name)), keys: keys, counter: counter, data: data,
                    format: version.mobileProtocol.authenticationCodeFormat)
                #expect(computed == code.string, "\(part) \(name)")
            }
        }
    }

    @Test func `the worked example has the same offline data and codes`() throws {
        let example = Example.whole["offline"]
        let data = NormalizedData.offline(
            OfflineData(operationID: "op-id-1", data: "A1*A100CZK"), nonce: try example.nonce("nonceBase64"))
        let counter = try HashCounter(Example.whole["signature"].hex("ctrData"))
        let keys = try Example.derivedKeys().factors

        #expect(
            try NormalizedData.offline(OfflineData(example.text("data")), nonce: example.nonce("nonceBase64"))
                == data)
        #expect(try String(decoding: data.bytes, as: UTF8.self) == example.text("dataToSign"))
        for digits in [4, 8] {
            let code = try AuthenticationCode.compute(
                .possessionKnowledge, keys: keys, counter: counter, data: data,
                format: #require(.offline(digits: digits)))
            #expect(try code == example.text("signatureLength\(digits)"))
        }
        #expect(OfflineData(operationID: "a", data: "b", otp: "c").bytes == Array("a&b&c".utf8))
    }

    @Test func `types are read in either case, and no other names`() {
        #expect(SignatureType("Possession_KNOWLEDGE") == .possessionKnowledge)
        #expect(SignatureType.allCases.allSatisfy { SignatureType($0.rawValue.uppercased()) == $0 })
        for name in ["", "knowledge_possession", "possession ", "possession-knowledge", "all"] {
            #expect(SignatureType(name) == nil)
        }
        for type in SignatureType.allCases {
            #expect(type.factors.map(\.rawValue).joined(separator: "_") == type.rawValue)
        }
    }

    @Test func `the form of codes is that of their format`() {
        let decimal = ProtocolVersion.v30.mobileProtocol.authenticationCodeFormat

        #expect(decimal == .decimal(digits: 8))
        #expect((1...3).map(decimal.count) == [8, 17, 26])
        #expect((1...3).map(AuthenticationCodeFormat.base64.count) == [24, 44, 64])
        #expect(decimal.isWellFormed("12345678-12345678", factors: 2))
        for code in [
            "1234567812345678", "12345678-1234567", "12345678-1234567a", "12345678", "1234567-812345678",
        ] {
            #expect(!decimal.isWellFormed(code, factors: 2))
        }
        #expect(!AuthenticationCodeFormat.base64.isWellFormed("PZwiB3AthuT91HsEWBJ9D==", factors: 1))
        #expect(!AuthenticationCodeFormat.base64.isWellFormed("PZwiB3AthuT91HsEWBJ9D?==", factors: 1))
    }

    @Test func `a typed code is completed by the signs between its components`() throws {
        let format = try #require(AuthenticationCodeFormat.offline())
        let short = try #require(AuthenticationCodeFormat.offline(digits: 4))

        #expect(format.completed("1234567812345678", factors: 2) == "12345678-12345678")
        #expect(format.completed("12345678-12345678", factors: 2) == "12345678-12345678")
        #expect(short.completed("71295091", factors: 2) == "7129-5091")
        for code in [
            "", "-", "12345678", "1234567-812345678", "123456781234567", "12345678123456789",
            "1234567812345-78",
        ] {
            #expect(format.completed(code, factors: 2) == nil)
        }
        let online = "PZwiB3AthuT91HsEWBJ9DA=="
        #expect(AuthenticationCodeFormat.base64.completed(online, factors: 1) == online)
        #expect(AuthenticationCodeFormat.base64.completed(online, factors: 2) == nil)
    }
}
