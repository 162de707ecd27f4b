import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

/// What a device hears, check by check. Source: Token Server documentation.
struct HandlingTests {
    private func body(_ error: String, _ text: String, _ code: Int) -> [String: String] {
        ["error": error, "error_description": text, "sdk_code": String(code)]
    }

    private var notFound: [String: String] {
        body("not_found", "There is no such mobile authentication request", 10013)
    }

    private var handled: [String: String] { body("already_handled", "The request is handled already", 9029) }

    private var answerInvalid: [String: String] { body("invalid_answer", "The answer is not valid", 10015) }

    private func expect(_ answer: Response, _ status: Status, _ fields: [String: String]) {
        #expect(answer.status == status)
        #expect(answer.fields == fields)
        #expect(answer.headers["Cache-Control"] == "no-store")
    }

    // MARK: - The way that is right

    @Test func `a scanned code is fetched, decrypted, confirmed, and the portal hears who it was (M6)`()
        throws
    {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP([("secure_message", "Log in as the boss?")])

        let fetched = try bench.fetch(otp)
        #expect(fetched.status == .ok)
        #expect(fetched.fields["encoding"] == "base64")
        #expect(fetched.fields["expires_in"] == "300")
        let message = try bench.read(fetched)
        #expect(message["v"] == 1)
        #expect(message["transaction_id"] == .string(id))
        #expect(message["type"] == "qr-code")
        #expect(message["message"] == "Log in as the boss?")
        #expect(message["profile_id"] == "ADA001")
        #expect(message["challenge"]?.string?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(message["issued_at"] == 1_767_323_045_000)
        #expect(message["expires_at"] == 1_767_323_345_000)

        let answered = try bench.answer(MobileBench.reply(message, "confirm"), to: id)
        expect(
            answered, .ok, ["transaction_id": id, "result": "confirm", "state": "AUTHENTICATED"])

        let result = bench.result(of: id)
        #expect(result.headers["Cache-Control"] == "no-cache, no-store, must-revalidate")
        let expected: JSONValue = [
            "transaction_id": .string(id), "callback_uri": .string(MobileBench.callbackURI),
            "timestamp": 1_767_323_045_000, "is_authenticated": true, "user_id": "ada",
            "authentication_method": "otp",
        ]
        #expect(try result.json(JSONValue.self) == expected)
        #expect(try bench.events.contains(.mobileAuthFetchSecuredMessageFetched))
        #expect(try bench.events.contains(.mobileAuthAuthenticated))
    }

    @Test func `a deny is final, with the reason not_accepted (M8)`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        let message = try bench.read(bench.fetch(otp))

        let answered = try bench.answer(MobileBench.reply(message, "deny"), to: id)

        expect(answered, .ok, ["transaction_id": id, "result": "deny", "state": "DENIED"])
        let expected: JSONValue = [
            "transaction_id": .string(id), "callback_uri": .string(MobileBench.callbackURI),
            "timestamp": 1_767_323_045_000, "is_authenticated": false, "user_id": "ada",
            "authentication_method": "otp",
            "not_authenticated_reason": ["reason": "not_accepted", "description": "User rejected push"],
        ]
        #expect(try bench.result(of: id).json(JSONValue.self) == expected)
    }

    @Test func `the id and the code may come apart in the place of the scanned text`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        let code = try OTPObject(reading: otp).code

        let fetched = try bench.device(
            "/otp/fetch",
            ["transaction_id": .string(id), "otp_code": .string(code), "profile_id": "ADA001"])

        #expect(fetched.status == .ok)
    }

    // MARK: - Checks 1 to 5

    @Test func `1: no access token, or one that nobody issued (M4)`() throws {
        let bench = try MobileBench()
        let (_, otp) = try bench.startedOTP()

        let answer = try bench.fetch(otp, "FF")

        #expect(answer.status == .unauthorized)
        #expect(answer.fields["error"] == "invalid_token")
        #expect(answer.fields["sdk_code"] == "9010")
        #expect(answer.headers["WWW-Authenticate"]?.contains("error=\"invalid_token\"") == true)
        #expect(try bench.events.first == .otpAuthNotAuthenticatedInvalidAccessToken)
    }

    @Test func `2: the device is gone`() throws {
        let bench = try MobileBench()
        let (_, otp) = try bench.startedOTP()
        try bench.bench.world.database.write { db in
            _ = try bench.onegini.registry.removeDevice(MobileBench.adaDevice, because: "A test.", in: db)
        }

        let answer = try bench.fetch(otp)

        #expect(answer.status == .unauthorized)
        #expect(answer.fields["error"] == "invalid_client")
        #expect(answer.fields["onegini_error"] == "device_deregistered")
        #expect(answer.fields["sdk_code"] == "9002")
        #expect(try bench.events.first == .mobileAuthFetchFailedInvalidClientId)
    }

    @Test func `3: the profile is gone`() throws {
        let bench = try MobileBench()
        let (_, otp) = try bench.startedOTP()
        try bench.bench.world.database.write { db in
            _ = try bench.onegini.registry.disconnect(
                user: "ada", from: MobileBench.adaDevice, because: "A test.", in: db)
        }

        let answer = try bench.fetch(otp)

        #expect(answer.status == .forbidden)
        #expect(answer.fields["error"] == "user_deregistered")
        #expect(answer.fields["sdk_code"] == "9003")
    }

    @Test(arguments: ["%%%", "aGVsbG8=", "e30="])
    func `4: what was scanned is no OTP object`(_ text: String) throws {
        let answer = try MobileBench().fetch(text)

        expect(answer, .badRequest, body("not_handleable", "The request cannot be handled", 10018))
    }

    @Test func `4: the profile id is missing (M2)`() throws {
        let bench = try MobileBench()
        let (_, otp) = try bench.startedOTP()

        let answer = try bench.device("/otp/fetch", ["otp": .string(otp)])

        expect(answer, .badRequest, body("invalid_request", "The request is malformed", 10015))
        #expect(try bench.events.first == .mobileAuthFetchFailedMissingProfileIdForOtpAuth)
    }

    @Test func `4: the profile id is another one than the token's`() throws {
        let bench = try MobileBench()
        let (_, otp) = try bench.startedOTP()

        let answer = try bench.fetch(otp, profile: "GRACE1")

        #expect(answer.status == .forbidden)
        #expect(answer.fields["error"] == "profile_mismatch")
        #expect(answer.fields["sdk_code"] == "10015")
    }

    @Test func `5: mobile authentication is off`() throws {
        let bench = try MobileBench("\"enabled\": false")
        let otp = OTPObject(transactionID: "x", code: "y").text

        let answer = try bench.fetch(otp)

        expect(
            answer, .notFound, body("mobile_auth_disabled", "Mobile authentication is disabled", 9017))
    }

    // MARK: - Checks 6 and 7

    @Test func `6: a transaction that there is not (M3)`() throws {
        let bench = try MobileBench()

        expect(try bench.fetch(OTPObject(transactionID: "gone", code: "A").text), .notFound, notFound)
        #expect(try bench.events.first == .mobileAuthFetchFailedInvalidTransaction)
    }

    @Test func `6: a transaction that ran out (M3)`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        try bench.bench.clock.advance(seconds: 300)

        expect(try bench.fetch(otp), .notFound, notFound)

        #expect(try bench.events.first == .mobileAuthFetchFailedTransactionExpired)
        #expect(bench.bench.explanation?.contains("expired 0 s ago") == true)
        #expect(try bench.transaction(id).state == "EXPIRED")
        #expect(bench.result(of: id).fields["is_authenticated"] == "false")
        #expect(try bench.result(of: id).json(JSONValue.self)["not_authenticated_reason"] == nil)
    }

    @Test func `one second before it runs out it is still there`() throws {
        let bench = try MobileBench()
        let (_, otp) = try bench.startedOTP()
        try bench.bench.clock.advance(seconds: 299)

        #expect(try bench.fetch(otp).fields["expires_in"] == "1")
    }

    @Test func `6: a transaction that has its result`() throws {
        let bench = try MobileBench()
        let id = try bench.finished("confirm")
        let otp = try #require(bench.transaction(id).code)

        expect(try bench.fetch(otp), .notFound, notFound)
    }

    @Test func `6: a push is not handled as a scanned code, nor the other way round`() throws {
        let bench = try MobileBench()
        let push = try bench.startedPush()
        let (otp, _) = try bench.startedOTP()
        let expected = body("not_handleable", "The request cannot be handled", 10018)

        expect(
            try bench.fetch(OTPObject(transactionID: push, code: "A").text), .badRequest, expected)
        expect(
            try bench.device("/push/\(otp)/fetch", ["profile_id": "ADA001"]), .badRequest, expected)
    }

    @Test func `7: a wrong code does not burn the transaction, the third one does (M7)`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        let wrong = OTPObject(transactionID: id, code: String(repeating: "00", count: 32)).text

        for _ in 1...2 {
            expect(try bench.fetch(wrong), .notFound, notFound)
            #expect(try bench.transaction(id).state == "INITIALIZED")
        }
        expect(try bench.fetch(wrong), .notFound, notFound)

        #expect(try bench.transaction(id).state == "FAILED")
        let reason = try bench.result(of: id).json(JSONValue.self)["not_authenticated_reason"]
        #expect(
            reason == [
                "reason": "invalid_request", "description": "Invalid push authentication request",
            ])
        expect(try bench.fetch(otp), .notFound, notFound)
    }

    @Test func `two wrong codes leave the right one good`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        for _ in 1...2 { _ = try bench.fetch(OTPObject(transactionID: id, code: "wrong").text) }

        #expect(try bench.fetch(otp).status == .ok)
        #expect(try bench.events.contains(.otpAuthNotAuthenticatedInvalidOtp))
    }

    // MARK: - Checks 8 and 9

    @Test func `8: an enrollment that was revoked is told once, then there is none (M3)`() throws {
        let bench = try MobileBench()
        let (_, otp) = try bench.startedOTP()
        try bench.bench.world.database.write { db in
            _ = try bench.onegini.registry.revokeMobileAuthentication(
                of: "ada", on: MobileBench.adaDevice, because: "A test.", in: db)
        }

        let text = "The user was disenrolled for mobile authentication"
        expect(try bench.fetch(otp), .forbidden, body("user_disenrolled", text, 9020))
        let next = "The user is not enrolled for mobile authentication"
        expect(try bench.fetch(otp), .forbidden, body("not_enrolled", next, 9021))
        #expect(try bench.events.first == .mobileAuthFetchFailedNoUserClientKeys)
    }

    @Test func `9: the message is handed out once, and others are not told that it was (M1)`() throws {
        let bench = try MobileBench()
        let (_, otp) = try bench.startedOTP()
        #expect(try bench.fetch(otp).status == .ok)

        expect(try bench.fetch(otp), .conflict, handled)
        expect(
            try bench.fetch(otp, profile: "GRACE1", MobileBench.graceToken), .notFound, notFound)
        #expect(try bench.events.first == .mobileAuthFetchFailedTransactionAlreadyFetched)
    }

    @Test func `of a hundred fetches at the same time one succeeds (M1)`() async throws {
        let bench = try MobileBench()
        let (_, otp) = try bench.startedOTP()

        let statuses = try await withThrowingTaskGroup(of: Status.self) { group in
            for index in 0..<100 {
                let isAda = index.isMultiple(of: 2)
                group.addTask {
                    try bench.fetch(
                        otp, profile: isAda ? "ADA001" : "GRACE1",
                        isAda ? MobileBench.adaToken : MobileBench.graceToken
                    ).status
                }
            }
            return try await group.reduce(into: [Status]()) { $0.append($1) }
        }

        #expect(statuses.count { $0 == .ok } == 1)
        #expect(statuses.allSatisfy { [.ok, .conflict, .notFound].contains($0) })
    }

    // MARK: - Checks 10 and 11

    @Test func `10: an answer before the fetch, and one from another device (M5, M10)`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        expect(try bench.answer(["v": 1], to: id), .notFound, notFound)
        let message = try bench.read(bench.fetch(otp))

        let foreign = try bench.answer(
            MobileBench.reply(message, "confirm"), to: id, MobileBench.graceToken)

        expect(foreign, .notFound, notFound)
        #expect(try bench.events.first == .pushAuthNotAuthenticatedInvalidState)
        #expect(try bench.transaction(id).state == "FETCHED")
    }

    @Test func `10: a second answer`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        let message = try bench.read(bench.fetch(otp))
        _ = try bench.answer(MobileBench.reply(message, "deny"), to: id)

        expect(try bench.answer(MobileBench.reply(message, "confirm"), to: id), .conflict, handled)
        #expect(try bench.transaction(id).state == "DENIED")
    }

    @Test func `an answer to a transaction that is unknown or ran out (M5, M13)`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        let message = try bench.read(bench.fetch(otp))
        expect(try bench.answer(MobileBench.reply(message, "confirm"), to: "gone"), .notFound, notFound)
        try bench.bench.clock.advance(seconds: 300)

        expect(try bench.answer(MobileBench.reply(message, "confirm"), to: id), .notFound, notFound)
        #expect(try bench.events.first == .pushAuthNotAuthenticatedTransactionExpired)
        #expect(try bench.transaction(id).steps.map(\.state) == ["INITIALIZED", "FETCHED", "EXPIRED"])
    }

    @Test func `an answer when the keys are gone (M5)`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        let message = try bench.read(bench.fetch(otp))
        try bench.bench.world.database.write { db in
            try db.delete(Enrollment.self, where: "client_id = \(MobileBench.adaDevice)")
        }

        let answer = try bench.answer(MobileBench.reply(message, "confirm"), to: id)

        expect(
            answer, .forbidden,
            body("not_enrolled", "The user is not enrolled for mobile authentication", 9021))
        #expect(try bench.events.first == .pushAuthNotAuthenticatedNoUserClientKeys)
    }

    @Test func `11: an answer that cannot be decrypted is final (M5, M9)`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        _ = try bench.fetch(otp)

        let answer = try bench.device("/otp/\(id)/answer", ["message": "bm8gbWVzc2FnZQ=="])

        expect(answer, .badRequest, answerInvalid)
        #expect(try bench.events.contains(.pushAuthNotAuthenticatedFailedToDecryptMessage))
        #expect(
            try bench.result(of: id).json(JSONValue.self)["not_authenticated_reason"]
                == ["reason": "invalid_answer", "description": "Invalid push answer"])
    }

    @Test(
        arguments: [
            ("v", .integer(2)), ("transaction_id", "another"),
            ("challenge", "00000000000000000000000000000000"),
            ("challenge", .null), ("result", "maybe"), ("result", .null),
        ] as [(String, JSONValue)])
    func `11: an answer with one thing wrong is final (M9, M11)`(_ name: String, _ value: JSONValue) throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        let message = try bench.read(bench.fetch(otp))

        let answer = try bench.answer(MobileBench.reply(message, "confirm", [name: value]), to: id)

        expect(answer, .badRequest, answerInvalid)
        #expect(try bench.transaction(id).state == "FAILED")
        #expect(bench.bench.explanation?.contains(name == "transaction_id" ? "another" : name) == true)
    }

    @Test func `a request without a message changes nothing`() throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        _ = try bench.fetch(otp)

        let answer = try bench.device("/otp/\(id)/answer", ["answer": "confirm"])

        expect(answer, .badRequest, body("invalid_request", "The request is malformed", 10015))
        #expect(try bench.transaction(id).state == "FETCHED")
    }

    @Test func `of fifty answers at the same time one counts`() async throws {
        let bench = try MobileBench()
        let (id, otp) = try bench.startedOTP()
        let message = try bench.read(bench.fetch(otp))
        let sealed = try ["confirm", "deny"].map { try bench.seal(MobileBench.reply(message, $0)) }

        let statuses = try await withThrowingTaskGroup(of: Status.self) { group in
            for index in 0..<50 {
                let text = sealed[index % 2]
                group.addTask {
                    try bench.device("/otp/\(id)/answer", ["message": .string(text)]).status
                }
            }
            return try await group.reduce(into: [Status]()) { $0.append($1) }
        }

        #expect(statuses.count { $0 == .ok } == 1)
        #expect(statuses.count { $0 == .conflict } == 49)
    }
}
