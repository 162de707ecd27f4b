import Crypto
import Essentials
import HTTP
import PlatformKit
import SampleApp
import TestKit
import Testing

/// Documents that an app signs.
@Suite struct MIRACLDocumentTests {
    /// SHA-256 of “abc”. Source: FIPS 180-2, appendix B.1.
    private static let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    private func withBench(_ body: (TestBench<SampleApp>, StubProvider) throws -> Void) throws {
        let time = ManualTime()
        let provider = try StubProvider(now: { time.now })
        provider.change { $0.certificate["hash"] = .string(Self.hash) }
        try provider.run { issuer in
            let settings: JSONValue = ["issuer": .string(issuer)]
            let fixtures: JSONValue = ["app": ["miracl_login": settings]]
            try body(TestBench(SampleApp.self, fixtures: fixtures.text), provider)
        }
    }

    private func verify(
        _ bench: TestBench<SampleApp>, _ document: JSONValue, hash: String = hash,
        path: String = "/app/login/VerifySignature"
    ) -> Response {
        let signature: JSONValue = ["hash": .string(hash), "mpinId": "7b7d", "u": "04", "v": "04"]
        let form = Form.encode([("verificationData", signature.text), ("documentData", document.text)])
        return bench.send(
            .post, path, body: Array(form.utf8),
            headers: ["Content-Type": "application/x-www-form-urlencoded"])
    }

    private func document(_ bench: TestBench<SampleApp>) throws -> JSONValue {
        try JSONValue(parsing: bench.send(.post, "/app/document?document=abc").bytes)
    }

    @Test func `a document's hash comes with the time and with a token of ours`() throws {
        try withBench { bench, _ in
            let form = Array("document=abc".utf8)
            let answers = [
                bench.send(
                    .post, "/app/login/CreateDocumentHash", body: form,
                    headers: ["Content-Type": "application/x-www-form-urlencoded"]),
                bench.send(.post, "/app/document?document=abc"),
                bench.post("/app/document", raw: #"{"document": "abc"}"#),
            ]

            for answer in answers {
                #expect(answer.status == .ok)
                #expect(answer.fields["hash"] == Self.hash)
                #expect(
                    answer.fields["timestamp"] == String(Int(bench.clock.now.timeIntervalSince1970)))
                let token = try #require(Base64.decode(answer.fields["authToken"] ?? ""))
                #expect(String(decoding: token, as: UTF8.self).hasPrefix("miracl-app:"))
                #expect(token.count == "miracl-app:".utf8.count + 64)
            }
            #expect(bench.send(.post, "/app/document").status == .badRequest)
        }
    }

    @Test(arguments: ["/app/login/VerifySignature", "/app/verify-signature"])
    func `a signature is right when MIRACL certifies it`(_ path: String) throws {
        try withBench { bench, provider in
            let verified = verify(bench, try document(bench), path: path)

            #expect(verified.status == .ok)
            #expect(verified.fields == ["verified": "true", "status": "ValidSignature"])
            let asked = try #require(provider.requests.first { $0.path == "/miracl/dvs/verify" })
            let body = try JSONValue(parsing: asked.body)
            #expect(body["type"] == "verification")
            #expect(body["signature"]?["hash"]?.string == Self.hash)
            #expect(body["timestamp"]?.integer == Int(bench.clock.now.timeIntervalSince1970))
        }
    }

    /// The vendor's app for iOS sends the time as a text.
    @Test func `the time of a document may be a text`() throws {
        try withBench { bench, provider in
            var members = try #require(document(bench).object)
            members["timestamp"] = members["timestamp"].map { .string($0.text) }
            #expect(verify(bench, .object(members)).fields["status"] == "ValidSignature")
            let asked = try #require(provider.requests.first { $0.path == "/miracl/dvs/verify" })
            #expect(
                try JSONValue(parsing: asked.body)["timestamp"]?.integer
                    == Int(bench.clock.now.timeIntervalSince1970))
        }
    }

    @Test(arguments: ["mpinId", "mpinid"])
    func `the signature alone will do, with its time`(_ name: String) throws {
        try withBench { bench, provider in
            let now = Int(bench.clock.now.timeIntervalSince1970)
            let signature: JSONValue = [
                "hash": .string(Self.hash), name: "7b7d", "u": "04", "v": "04", "timestamp": .integer(now),
            ]
            let answer = bench.post("/app/verify-signature", raw: signature.text)
            #expect(answer.fields == ["verified": "true", "status": "ValidSignature"], "\(answer.text)")
            let asked = try #require(provider.requests.first { $0.path == "/miracl/dvs/verify" })
            let body = try JSONValue(parsing: asked.body)
            #expect(body["signature"]?[name] == "7b7d")
            #expect(body["timestamp"]?.integer == now)
            let timeless = bench.post(
                "/app/verify-signature", raw: #"{"hash": "00", "mpinId": "7b7d", "u": "04", "v": "04"}"#)
            #expect(timeless.status == .badRequest)
            #expect(bench.explanation?.hasPrefix("The request has no “timestamp”") == true)
        }
    }

    @Test func `a wrong body is explained with its own shape`() throws {
        try withBench { bench, _ in
            for (path, body, words) in [
                ("/app/verify-signature", "{}", "Expected {\"verificationData\": {\"hash\""),
                ("/app/verify-signature", #"{"verificationData": 1}"#, "Expected {\"verificationData\""),
                ("/app/document", "{}", "Expected document, a text"),
                ("/app/authtoken", "{}", "Expected {\"code\": \"…\", \"userID\": \"…\"}"),
            ] {
                #expect(bench.post(path, raw: body).status == .badRequest)
                #expect(bench.explanation?.contains(words) == true, "\(bench.explanation ?? "")")
            }
        }
    }

    @Test(arguments: [
        (Status.unauthorized, "InvalidSignature"), (.gone, "UserBlocked"), (.forbidden, "Unknown"),
    ])
    func `what MIRACL refuses is not verified`(_ status: Status, _ word: String) throws {
        try withBench { bench, provider in
            provider.change { $0.verifyStatus = status }

            let answer = verify(bench, try document(bench))

            #expect(answer.fields == ["verified": "false", "status": word])
        }
    }

    @Test func `the signature of another document is not verified, and MIRACL is not asked`() throws {
        try withBench { bench, provider in
            let other = String(Self.hash.reversed())

            let answer = verify(bench, try document(bench), hash: other)

            #expect(answer.fields == ["verified": "false", "status": "InvalidSignature"])
            #expect(provider.requests.isEmpty)
        }
    }

    @Test(arguments: [("hash", JSONValue.string("00")), ("cAt", 1), ("exp", 1)])
    func `a certificate of another hash or time is not believed`(_ claim: String, _ value: JSONValue) throws {
        try withBench { bench, provider in
            provider.change { $0.certificate[claim] = value }

            let refused = verify(bench, try document(bench))

            #expect(refused.status == .unauthorized)
            #expect(bench.explanation?.contains("certificate") == true)
        }
    }

    @Test func `a hash that was not made here is refused`() throws {
        try withBench { bench, provider in
            let document: JSONValue = [
                "hash": .string(Self.hash), "timestamp": 1, "authToken": "bWlyYWNsLWFwcDowMA==",
            ]

            let refused = verify(bench, document)

            #expect(refused.status == .badRequest)
            #expect(refused.text == "This is not a document of ours.\n")
            #expect(provider.requests.isEmpty)
            #expect(bench.misshapenExplanations == [])
        }
    }

    @Test(arguments: ["", "verificationData=5&documentData={}", "verificationData={}&documentData={}"])
    func `what cannot be read is refused`(_ form: String) throws {
        try withBench { bench, _ in
            let refused = bench.send(.post, "/app/verify-signature", body: Array(form.utf8))

            #expect(refused.status == .badRequest)
        }
    }
}
