import Crypto
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

/// Activations one level lower. Source: published behaviour of the PowerAuth Server.
struct ManagementActivationTests {
    private let bench: OfficeBench

    init() throws { bench = try OfficeBench() }

    private func of(_ id: String, _ members: String = "") -> String {
        "{\"activationId\": \"\(id)\"\(members.isEmpty ? "" : ", " + members)}"
    }

    @Test func `an activation from its beginning to its end`() throws {
        let made = try bench.result(
            bench.manage(
                "activation/init",
                #"{"userId": "ada", "applicationId": "bank", "flags": ["A"], "maxFailureCount": 3, "activationOtp": "1"}"#))
        #expect(
            Set(made.keys) == ["activationId", "activationCode", "activationSignature", "userId", "applicationId"])
        let id = try #require(made["activationId"]?.string)
        let created = try bench.result(bench.manage("activation/status", of(id)))
        #expect(created["activationCode"] == made["activationCode"])
        #expect(created["timestampCreated"] == "2026-01-02T03:04:05.000+00:00")
        #expect(created["maxFailedAttempts"] == 3)
        #expect(created["activationOtpValidation"] == "ON_COMMIT")
        #expect(created["applicationRoles"] == ["ROLE_B", "ROLE_A"])

        let phone = try bench.phone()
        try phone.activate(
            ActivationRequest(.code(try #require(made["activationCode"]?.string)), extras: "more"),
            pin: OfficeBench.pin)
        let pending = try bench.result(bench.manage("activation/status", of(id)))
        #expect(pending["activationStatus"] == "PENDING_COMMIT")
        #expect(pending["devicePublicKeyFingerprint"]?.string == phone.activation?.fingerprint)
        #expect(pending["extras"] == "more")
        try bench.expect(
            bench.manage("activation/commit", of(id, #""activationOtp": "2""#)), "ERR0031",
            "The activation OTP is wrong; 4 attempts are left.")
        #expect(
            try bench.result(bench.manage("activation/otp/update", of(id, #""activationOtp": "22""#)))["updated"] == true)
        #expect(
            try bench.result(bench.manage("activation/commit", of(id, #""activationOtp": "22", "externalUserId": "c""#)))
                == ["activationId": .string(id), "activated": true])
        #expect(
            try bench.result(bench.manage("activation/name/update", of(id, #""activationName": "Mine""#)))["activationStatus"]
                == "ACTIVE")
        #expect(
            try bench.result(bench.manage("activation/block", of(id)))["blockedReason"] == "NOT_SPECIFIED")
        try bench.expect(
            bench.manage("activation/name/update", of(id, #""activationName": "X""#)), "ERR0008",
            "The activation is BLOCKED, expected PENDING_COMMIT or ACTIVE.")
        #expect(try bench.result(bench.manage("activation/unblock", of(id)))["activationStatus"] == "ACTIVE")
        #expect(try bench.result(bench.manage("activation/remove", of(id)))["removed"] == true)
        #expect(
            try bench.history(id) == [
                "CREATED", "PENDING_COMMIT", "PENDING_COMMIT ACTIVATION_OTP_VALUE_UPDATE", "ACTIVE c",
                "ACTIVE ACTIVATION_NAME_UPDATED", "BLOCKED NOT_SPECIFIED", "ACTIVE", "REMOVED",
            ])
        let items = try #require(
            try bench.result(bench.manage("activation/history", of(id)))["items"]?.array)
        #expect(items.count == 8)
        #expect(items.last?["activationStatus"] == "REMOVED")
    }

    @Test(arguments: [
        ("activation/init", #"{"applicationId": "bank"}"#, "ERR0001", "No user ID was set."),
        ("activation/init", #"{"userId": "ada"}"#, "ERR0002", "No application ID was set."),
        (
            "activation/init", #"{"userId": "ada", "applicationId": "nil"}"#, "ERR0015",
            "There is no application \"nil\"."
        ),
        (
            "activation/init", #"{"userId": "ada", "applicationId": "none"}"#, "ERR0040",
            "The application \"none\" has no supported version: no app could use the activation."
        ),
        ("activation/commit", #"{"activationId": "nil"}"#, "ERR0009", "There is no activation nil."),
        ("activation/block", #"{"activationId": "nil"}"#, "ERR0009", "There is no activation nil."),
        ("activation/remove", #"{"activationId": "nil"}"#, "ERR0009", "There is no activation nil."),
        ("activation/flags/list", #"{"activationId": "nil"}"#, "ERR0009", "There is no activation nil."),
        (
            "activation/block", "{}", "ERR0024",
            "The request is wrong in activationId: expected a text of 1 to 255 characters, found nothing."
        ),
        ("activation/list", "{}", "ERR0001", "No user ID was set."),
        ("activation/status/update", #"{"activationIds": ["nil"], "activationStatus": "BLOCKED"}"#, "ERR0009", "There is no activation nil."),
    ])
    func `refusals have the server's codes`(_ path: String, _ body: String, _ code: String, _ message: String) throws {
        try bench.expect(bench.manage(path, body), code, message)
    }

    @Test func `states, expiry and OTP modes have codes of their own`() throws {
        let (created, _) = try bench.register()
        try bench.expect(
            bench.manage("activation/commit", of(created)), "ERR0008",
            "The activation is CREATED, expected PENDING_COMMIT.")
        try bench.expect(
            bench.manage("activation/otp/update", of(created, #""activationOtp": "1""#)), "ERR0008",
            "The activation is CREATED, expected PENDING_COMMIT.")
        let (_, pending) = try bench.exchanged()
        try bench.expect(
            bench.manage("activation/commit", of(pending, #""activationOtp": "1""#)), "ERR0032",
            "An activation OTP came where none is checked.")
        try bench.bench.clock.advance(seconds: 300)
        try bench.expect(
            bench.manage("activation/commit", of(pending)), "ERR0007",
            "The activation \(pending) was not completed in time; it ended at 2026-01-02T03:09:05.000Z.")
    }

    @Test func `an id that never was is REMOVED`() throws {
        #expect(
            try bench.result(bench.manage("activation/status", of("nil")))
                == ["activationId": "nil", "activationStatus": "REMOVED"])
    }

    @Test func `flags are added, replaced and taken away in their order`() throws {
        let (id, _) = try bench.register(#""flags": ["A", "B"]"#)
        func flags(_ call: String, _ given: String) throws -> JSONValue? {
            try bench.result(
                bench.manage("activation/flags/" + call, of(id, given.isEmpty ? "" : "\"activationFlags\": \(given)")))[
                    "activationFlags"]
        }
        #expect(try flags("list", "") == ["A", "B"])
        #expect(try flags("create", #"["C", "A", "C"]"#) == ["A", "B", "C"])
        #expect(try flags("remove", #"["B", "X"]"#) == ["A", "C"])
        #expect(try flags("update", #"["Z", "A", "Z"]"#) == ["Z", "A"])
        #expect(bench.manage("activation/flags/update", of(id)).status == .badRequest)
    }

    @Test func `lists and look-ups filter`() throws {
        let (first, _) = try bench.register(#""flags": ["A", "B"]"#)
        try bench.bench.clock.advance(seconds: 10)
        let (_, second) = try bench.active(#""flags": ["A"]"#)
        func ids(_ path: String, _ body: String) throws -> [String] {
            try #require(try bench.result(bench.manage(path, body))["activations"]?.array)
                .compactMap { $0["activationId"]?.string }
        }
        #expect(try ids("activation/list", #"{"userId": "ada"}"#) == [second, first])
        #expect(try ids("activation/list", #"{"userId": "ada", "pageNumber": 1, "pageSize": 1}"#) == [first])
        #expect(try ids("activation/list", #"{"userId": "ada", "pageNumber": 9, "pageSize": 9}"#) == [])
        #expect(
            try ids("activation/list", #"{"userId": "ada", "activationStatuses": ["ACTIVE"]}"#) == [second])
        #expect(try ids("activation/list", #"{"userId": "ada", "applicationId": "shop"}"#) == [])
        #expect(try ids("activation/lookup", #"{"userIds": ["ada"], "activationFlags": ["A", "B"]}"#) == [first])
        #expect(try ids("activation/lookup", #"{"userIds": ["ada"], "activationStatus": "ACTIVE"}"#) == [second])
        #expect(
            try ids("activation/lookup", "{\"userIds\": [\"ada\"], \"timestampLastUsedBefore\": \(bench.now - 5000)}")
                == [first])
        #expect(
            try ids("activation/lookup", #"{"userIds": ["ada"], "timestampLastUsedAfter": "2026-01-02T03:04:10+0000"}"#)
                == [second])
    }

    @Test func `one state for many is all or nothing`() throws {
        let (_, first) = try bench.active()
        let (_, second) = try bench.active()
        let both = "{\"activationIds\": [\"\(first)\", \"\(second)\"], \"activationStatus\": "
        #expect(try bench.result(bench.manage("activation/status/update", both + "\"BLOCKED\"}")) == ["updated": true])
        #expect(try bench.state(first) == "BLOCKED")
        #expect(try bench.state(second) == "BLOCKED")
        bench.cloud(.delete, "/v2/registrations/\(second)")
        try bench.expect(
            bench.manage("activation/status/update", both + "\"ACTIVE\"}"), "ERR0008",
            "The activation \(second) is removed, which is final; nothing changed.")
        #expect(try bench.state(first) == "BLOCKED")
    }
}
