import Crypto
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

/// Headers of apps that back ends let be checked. Source: “Implement Login in Mobile Apps”.
struct VerificationTests {
    private let bench: OfficeBench

    init() throws { bench = try OfficeBench() }

    private func verify(
        _ header: String, method: String = "POST", uriID: String = "/login", body: [UInt8]? = nil,
        query: [String: String]? = nil, at path: String = "/v2/authentication/verify",
        as caller: Headers = OfficeBench.office
    ) -> Response {
        var members: [String: JSONValue] = [
            "method": .string(method), "uriId": .string(uriID), "authHeader": .string(header),
            "requestBody": .null, "queryParams": .null,
        ]
        if let body { members["requestBody"] = .string(Base64.encode(body)) }
        if let query { members["queryParams"] = .object(query.mapValues(JSONValue.string)) }
        return bench.cloud(.post, path, JSONValue.object(members).text, as: caller)
    }

    @Test(arguments: ["/v2/authentication/verify", "/v2/signature/verify"])
    func `a right code is told with everything`(_ path: String) throws {
        let (phone, id) = try bench.active(#""flags": ["VIP"]"#)
        let body = Array(#"{"user": "ada"}"#.utf8)
        let header = try phone.authorization(uriID: "/login", body: body, with: .pin(OfficeBench.pin))

        let response = verify(header, body: body, at: path)

        #expect(response.status == .ok)
        #expect(
            try JSONValue(parsing: response.bytes) == [
                "signatureValid": true, "userId": "ada", "registrationId": .string(id),
                "registrationStatus": "ACTIVE", "signatureType": "possession_knowledge",
                "remainingAttempts": 5, "flags": ["VIP"],
                "application": ["id": "bank", "roles": ["ROLE_B", "ROLE_A"]],
            ])
    }

    @Test func `GET signs its parameters`() throws {
        let (phone, _) = try bench.active()
        let header = try phone.authorization(
            "GET", uriID: "/login", body: Device.canonicalQuery("b=2&a=x%20y"), with: .biometry)

        let response = verify(header, method: "GET", query: ["a": "x y", "b": "2"])

        #expect(response.fields["signatureValid"] == "true")
        #expect(response.fields["signatureType"] == "possession_biometry")
    }

    @Test func `one changed byte, another resource or another method costs an attempt each`() throws {
        let (phone, _) = try bench.active()
        let body = Array("body".utf8)
        func header() throws -> String {
            try phone.authorization(uriID: "/login", body: body, with: .pin(OfficeBench.pin))
        }
        let answers = [
            verify(try header(), body: Array("bodY".utf8)),
            verify(try header(), uriID: "/logout", body: body),
            verify(try header(), method: "PUT", body: body),
        ]
        #expect(answers.map { $0.fields["signatureValid"] } == ["false", "false", "false"])
        #expect(answers.map { $0.fields["remainingAttempts"] } == ["4", "3", "2"])
        #expect(answers.map { $0.fields["registrationStatus"] } == ["ACTIVE", "ACTIVE", "ACTIVE"])
        #expect(bench.bench.journal.contains { $0.event == "authentication code refused" })

        let right = verify(try header(), body: body)
        #expect(right.fields["signatureValid"] == "true")
        #expect(right.fields["remainingAttempts"] == "5")
    }

    @Test func `the entry of a request that is answered with no says why`() throws {
        let (phone, _) = try bench.active()
        let header = try phone.authorization(uriID: "/login", body: [], with: .pin("9999"))
        #expect(verify(header).status == .ok)
        #expect(bench.bench.explanation?.contains("the PIN is wrong") == true)
        #expect(verify(header, as: OfficeBench.stranger).status == .ok)
        #expect(bench.bench.explanation?.contains("is not assigned to the system user") == true)
        let right = try phone.authorization(uriID: "/login", body: [], with: .pin(OfficeBench.pin))
        #expect(verify(right).fields["signatureValid"] == "true")
        #expect(bench.bench.explanation == nil)
    }

    @Test func `the same header twice fails the second time`() throws {
        let (phone, _) = try bench.active()
        let header = try phone.authorization(uriID: "/login", body: [], with: .pin(OfficeBench.pin))

        #expect(verify(header).fields["signatureValid"] == "true")
        #expect(verify(header).fields["remainingAttempts"] == "4")
    }

    @Test func `the last attempt blocks, and what is not active is told briefly`() throws {
        let (phone, id) = try bench.active()
        func attempt() throws -> Response {
            verify(
                try phone.authorization(uriID: "/login", body: [], with: .pin(OfficeBench.pin)),
                uriID: "/other")
        }
        for _ in 1...4 { _ = try attempt() }
        let last = try bench.object(attempt())
        #expect(last["registrationStatus"] == "BLOCKED")
        #expect(last["blockedReason"] == "MAX_FAILED_ATTEMPTS")
        #expect(last["remainingAttempts"] == 0)
        #expect(last["userId"] == "ada")

        let after = try bench.object(attempt())
        #expect(after["signatureValid"] == false)
        #expect(after["registrationId"] == .string(id))
        #expect(after["registrationStatus"] == "BLOCKED")
        #expect(after["remainingAttempts"] == 0)
        #expect(after["flags"] == [])
        #expect(after["userId"] == nil)
        #expect(after["application"] == nil)
    }

    @Test func `a registration that never was is REMOVED, and so is one of another back end`() throws {
        let (phone, id) = try bench.active()
        let header = try phone.authorization(uriID: "/login", body: [], with: .pin(OfficeBench.pin))
        let unknown = header.replacing(id, with: "00000000-0000-4000-8000-000000000000")
        func removed(_ id: String) -> JSONValue {
            [
                "signatureValid": false, "registrationId": .string(id), "registrationStatus": "REMOVED",
                "remainingAttempts": 0, "flags": [],
            ]
        }
        let told = try JSONValue(parsing: verify(unknown).bytes)
        #expect(told == removed("00000000-0000-4000-8000-000000000000"))

        let foreign = verify(header, as: OfficeBench.stranger)
        #expect(try JSONValue(parsing: foreign.bytes) == removed(id))
        #expect(verify(header).fields["signatureValid"] == "true")
    }

    @Test(arguments: [
        "", "Basic x", "PowerAuth pa_version=\"3.1\"",
        "PowerAuth pa_activation_id=\"x\", pa_application_key=\"QUFBQUFBQUFBQUFBQUFBQQ==\", pa_nonce=\"QUFBQUFBQUFBQUFBQUFBQQ==\", pa_signature_type=\"possession\", pa_signature=\"1\", pa_version=\"9.9\"",
    ])
    func `a header that cannot be read is an error`(_ header: String) throws {
        guard !header.isEmpty else {
            #expect(try bench.result(verify(header))["code"] == "ERROR_REQUEST")
            return
        }
        try bench.expect(
            verify(header), "ERROR_SIGNATURE_INVALID", "The authentication header is not valid.",
            because: "X-PowerAuth-Authorization")
        try bench.expect(
            bench.cloud(.post, "/v2/token/verify", JSONValue.object(["authHeader": .string(header)]).text),
            "ERROR_TOKEN_INVALID", "The token header is not valid.", because: "X-PowerAuth-Token")
    }

    @Test func `parameters without a comma or a blank between them are read`() throws {
        let (phone, _) = try bench.active()
        for separator in [",", " ", " ,  "] {
            let header = try phone.authorization(uriID: "/login", body: [], with: .pin(OfficeBench.pin))
            #expect(
                verify(header.replacing(", ", with: separator)).fields["signatureValid"] == "true",
                "separated by \"\(separator)\"")
        }
    }

    @Test func `a token is told with everything, without attempts`() throws {
        let (phone, id) = try bench.active(#""flags": ["VIP"]"#)
        _ = try phone.createToken("LoginToken")
        let header = try phone.tokenHeader("LoginToken")

        let response = token(header)

        #expect(
            try JSONValue(parsing: response.bytes) == [
                "tokenValid": true, "userId": "ada", "registrationId": .string(id),
                "registrationStatus": "ACTIVE", "signatureType": "possession", "flags": ["VIP"],
                "application": ["id": "bank", "roles": ["ROLE_B", "ROLE_A"]],
            ])
        try bench.expect(
            token(header), "ERROR_TOKEN_INVALID", "The token header is not valid.",
            because: "was presented before")
    }

    @Test func `a check by another back end spends no token header, and no audit tells it`() throws {
        let (phone, _) = try bench.active()
        _ = try phone.createToken("LoginToken")
        let header = try phone.tokenHeader("LoginToken")
        let before = try types("ada")

        #expect(token(header, as: OfficeBench.stranger).text == #"{"tokenValid":false}"#)
        let told = bench.bench.world.journal.entries(Journal.Query()).compactMap(\.explanation)
        #expect(told.contains { $0.contains("belongs to the application “bank”, which is not assigned") })
        #expect(try types("ada") == before)
        #expect(token(header).fields["tokenValid"] == "true")
        #expect(try types("ada") == before + ["token_ok"])
    }

    /// What the audit log tells of a user, oldest first.
    private func types(_ user: String) throws -> [String] {
        let log = try bench.object(bench.cloud(.get, "/audit/log?userId=\(user)"))
        return try #require(log["items"]?.array).compactMap { $0["eventType"]?.string }
    }

    @Test func `a token out of its time is an error, one that never was is invalid`() throws {
        let (phone, _) = try bench.active()
        let made = try phone.createToken("LoginToken")
        let old = try phone.tokenHeader("LoginToken")
        let unknown = try phone.tokenHeader("LoginToken").replacing(
            made.id, with: "00000000-0000-4000-8000-000000000000")
        #expect(token(unknown).text == #"{"tokenValid":false}"#)
        try bench.bench.clock.advance(seconds: 7201)
        try bench.expect(
            token(old), "ERROR_TOKEN_INVALID", "The token header is not valid.", because: "7200 s are allowed"
        )
    }

    @Test func `a token of a registration that is blocked is invalid`() throws {
        let (phone, id) = try bench.active()
        _ = try phone.createToken("LoginToken")
        bench.cloud(.put, "/v2/registrations/\(id)", #"{"change": "BLOCK"}"#)

        let object = try bench.object(token(try phone.tokenHeader("LoginToken")))

        #expect(object["tokenValid"] == false)
        #expect(object["registrationStatus"] == "BLOCKED")
        #expect(object["registrationId"] == .string(id))
    }

    private func token(_ header: String, as caller: Headers = OfficeBench.office) -> Response {
        bench.cloud(
            .post, "/v2/token/verify", JSONValue.object(["authHeader": .string(header)]).text, as: caller)
    }

    @Test func `the audit log tells of codes that a device sent here, not to a back end`() throws {
        let (phone, _) = try bench.active()
        try phone.validate(with: .pin(OfficeBench.pin))
        #expect(throws: ServerRefusal.self) { try phone.validate(with: .pin("9999")) }
        #expect(try types("ada") == ["signature_ok", "signature_failed"])
    }

    @Test func `the audit log tells how checks came out`() throws {
        let (phone, id) = try bench.active()
        let header = try phone.authorization(uriID: "/login", body: [], with: .pin(OfficeBench.pin))
        _ = verify(header)
        _ = verify(header)

        let log = try bench.object(bench.cloud(.get, "/audit/log?userId=ada"))
        let items = try #require(log["items"]?.array)
        #expect(items.compactMap { $0["eventType"]?.string } == ["signature_ok", "signature_failed"])
        #expect(items.allSatisfy { $0["activationId"] == .string(id) })
        #expect(items.first?["timestamp"] == .integer(bench.now))
        let none = try bench.object(
            bench.cloud(
                .get, "/v2/audit/log?userId=ada&timestampFrom=\(bench.now + 1)&timestampTo=\(bench.now + 2)"))
        #expect(none["items"] == [])
        #expect(bench.cloud(.get, "/audit/log?userId=ada", as: OfficeBench.stranger).text == #"{"items":[]}"#)
        try bench.expect(
            bench.cloud(.get, "/audit/log?userId=ada&timestampFrom=soon"), "ERROR_AUDIT",
            "The time timestampFrom is not valid.", because: "found “soon”")
    }
}
