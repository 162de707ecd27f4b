import Essentials
import PowerAuthDevice
import Testing

@testable import PowerAuth

/// What the journal tells of a wrong code: each time one thing is wrong.
@Suite struct DiagnosisTests {
    private let body = Array("{\"amount\": 7, \"to\": \"a/b\"}\n".utf8)

    /// Verifies as a back end does that expects `POST /api/transfer` with this body.
    private func explanation(
        _ version: Device.Version = .v33, method: String = "POST", uriID: String = "/api/transfer",
        expecting body: [UInt8]? = nil, signed: [UInt8]? = nil,
        credential: Credential = .pin(MobileBench.pin),
        type: SignatureType? = nil, change: (MobileBench, Device) throws -> Void = { _, _ in }
    ) throws -> String {
        let bench = try MobileBench()
        let phone = try bench.activePhone(version)
        try change(bench, phone)
        var header = try AuthorizationHeader(
            phone.authorization(method, uriID: uriID, body: signed ?? self.body, with: credential))
        if let type {
            header = AuthorizationHeader(
                version: header.version, activationID: header.activationID,
                applicationKey: header.applicationKey, nonce: header.nonce, type: type,
                signature: header.signature)
        }
        let request = SignedRequest(method: "POST", uriID: "/api/transfer", body: body ?? self.body)
        let outcome = try bench.platform.change { [header] turn in
            try bench.platform.authentication.verify(OnlineCode(header, over: request), in: turn)
        }
        #expect(outcome.isValid == (outcome.failure == nil))
        return outcome.explanation
    }

    @Test func `a right code needs no explanation`() throws {
        #expect(try explanation() == "")
    }

    @Test func `of much data the PIN alone is looked into`() throws {
        let much = [UInt8](repeating: 0x20, count: 40_000)
        let told = try explanation(uriID: "/transfer", expecting: much, signed: much)
        #expect(told.contains("another PIN alone, since it covers more than 32768 bytes"), "\(told)")
        let pin = try explanation(expecting: much, signed: much, credential: .pin("00000"))
        #expect(pin.contains("the PIN is wrong"), "\(pin)")
    }

    @Test(arguments: [Device.Version.v30, .v33])
    func `another resource is found`(_ version: Device.Version) throws {
        for uriID in [
            "/app/api/transfer", "/transfer", "api/transfer", "/api/transfer/", "/api", "/login",
            "/operation/authorize",
        ] {
            let told = try explanation(version, uriID: uriID)
            #expect(
                told.contains(
                    "it was made for the uriId “\(uriID)”, expected “/api/transfer”. 4 attempts remain."),
                "\(told)")
        }
    }

    @Test func `a resource is found for which a code was right before`() throws {
        let told = try explanation(uriID: "/very/own/name") { bench, phone in
            let header = try phone.authorization(
                uriID: "/very/own/name", body: [], with: .pin(MobileBench.pin))
            let outcome = try bench.platform.change { turn in
                try bench.platform.authentication.verify(
                    OnlineCode(
                        AuthorizationHeader(header),
                        over: .init(method: "POST", uriID: "/very/own/name", body: [])), in: turn)
            }
            #expect(outcome.isValid)
        }
        #expect(told.contains("it was made for the uriId “/very/own/name”"), "\(told)")
    }

    @Test func `the path in the place of the agreed name is found`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        phone.faults.uriID = "/enrollment-server/pa/v3/signature/validate"
        bench.expectUnsigned(
            because: "it was made for the uriId “/enrollment-server/pa/v3/signature/validate”, expected"
        ) { try phone.validate(with: .possession) }
    }

    @Test func `another method is found`() throws {
        #expect(try explanation(method: "PUT").contains("it was made for the method PUT, expected POST."))
    }

    @Test func `other forms of the body are found`() throws {
        let forms: [(String, String)] = [
            ("{\"amount\": 7, \"to\": \"a/b\"}", "the body without its final newline"),
            ("{\"amount\": 7, \"to\": \"a/b\"}\n\n", "the body with a final newline"),
            ("{\"amount\":7,\"to\":\"a/b\"}", "re-serialised JSON: without white space"),
            (
                "{\"amount\":7,\"to\":\"a\\/b\"}",
                "re-serialised JSON: without white space, with escaped slashes"
            ),
            ("", "an empty body"), ("{}", "the body {}"),
            ("{\"amount\": 7,\"to\": \"a/b\"}", "re-serialised JSON: with a blank behind colons"),
            // Source: JSON.stringify(value, null, 2), json.dumps(value, indent=4), Jackson's and Swift's pretty printers.
            (
                "{\n  \"amount\": 7,\n  \"to\": \"a/b\"\n}",
                "re-serialised JSON: pretty-printed with 2 blanks"
            ),
            (
                "{\n    \"amount\": 7,\n    \"to\": \"a/b\"\n}",
                "re-serialised JSON: pretty-printed with 4 blanks"
            ),
            (
                "{\n  \"amount\" : 7,\n  \"to\" : \"a/b\"\n}",
                "re-serialised JSON: pretty-printed with 2 blanks and one before colons"
            ),
            (
                "{\"to\":\"a/b\",\"amount\":7}",
                "re-serialised JSON: members in the order to, amount"
            ),
        ]
        for (form, name) in forms {
            let told = try explanation(signed: Array(form.utf8))
            #expect(
                told.contains("it covers \(name), expected the 27 bytes of the body as they came."), "\(told)"
            )
        }
        let reordered = try explanation(
            expecting: Array(#"{"b":1,"a":2}"#.utf8), signed: Array(#"{"a":2,"b":1}"#.utf8))
        #expect(reordered.contains("members in the order of their names"), "\(reordered)")
    }

    @Test func `other factors are found`() throws {
        let told = try explanation(credential: .biometry, type: .possessionKnowledge)
        #expect(
            told.contains("it was made with possession_biometry, expected possession_knowledge."), "\(told)")
        let alone = try explanation(credential: .possession, type: .possessionKnowledge)
        #expect(alone.contains("it has 1 components, possession_knowledge has 2."), "\(alone)")
        #expect(
            alone.contains("has 2. It was made with possession, expected possession_knowledge."), "\(alone)")
        #expect(alone.ranges(of: "is wrong").count == 1, "no sentence comes twice: \(alone)")
    }

    @Test func `a wrong PIN is told when everything else is right, and beside something else`() throws {
        #expect(try explanation(credential: .pin("9")).contains("is wrong: the PIN is wrong"))
        let both = try explanation(uriID: "/transfer", credential: .pin("9"))
        #expect(
            both.contains("the uriId “/transfer”, expected “/api/transfer”; and the PIN is wrong"), "\(both)")
    }

    @Test func `the secret of another version is found`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        let other = try bench.phone(secret: MobileBench.newSecret)
        other.activation = phone.activation
        bench.expectUnsigned(
            because:
                "it was made with the secret of version “3.0” of bank, not with that of the version whose key it names"
        ) { try other.validate(with: .possession) }
    }

    @Test func `what cannot be found out is said to be so`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        let other = try bench.activePhone()
        var mixed = try #require(phone.activation)
        mixed.knowledgeKey = try #require(other.activation).knowledgeKey
        let strange = try #require(other.activation)
        let header = try AuthorizationHeader(
            other.authorization(uriID: "/x", body: [], with: .possession))
        #expect(strange.id != mixed.id)
        let outcome = try bench.platform.change { turn in
            try bench.platform.authentication.verify(
                OnlineCode(
                    text: header.signature, type: .possession, version: .three(.v33), activationID: mixed.id,
                    applicationKey: MobileBench.key, data: .normalized(Array("POST&Lw==&AA==&".utf8))),
                in: turn)
        }
        #expect(
            outcome.explanation.contains("nothing that was tried makes it right"), "\(outcome.explanation)")
        let parts = outcome.explanation.split(separator: "the device has other keys")
        #expect(parts.count == 2 && parts[0].contains("Compare the body") && parts[0].contains("the uriId"))
    }
}
