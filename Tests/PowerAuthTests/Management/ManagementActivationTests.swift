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
                #"{"userId": "ada", "applicationId": "bank", "flags": ["A"], "maxFailureCount": 3, "activationOtp": "1"}"#
            ))
        #expect(
            Set(made.keys) == [
                "activationId", "activationCode", "activationSignature", "userId", "applicationId",
            ])
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
            try bench.result(bench.manage("activation/otp/update", of(id, #""activationOtp": "22""#)))[
                "updated"] == true)
        #expect(
            try bench.result(
                bench.manage("activation/commit", of(id, #""activationOtp": "22", "externalUserId": "c""#)))
                == ["activationId": .string(id), "activated": true])
        #expect(
            try bench.result(bench.manage("activation/name/update", of(id, #""activationName": "Mine""#)))[
                "activationStatus"]
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
            "There is no application “nil”."
        ),
        (
            "activation/init", #"{"userId": "ada", "applicationId": "none"}"#, "ERR0040",
            "The application “none” has no supported version: no app could use the activation."
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
        (
            "activation/status/update", #"{"activationIds": ["nil"], "activationStatus": "BLOCKED"}"#,
            "ERR0009", "There is no activation nil."
        ),
    ])
    func `refusals have the server's codes`(_ path: String, _ body: String, _ code: String, _ message: String)
        throws
    {
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
        try bench.bench.clock.advance(seconds: 300)
        try bench.expect(
            bench.manage("activation/commit", of(pending)), "ERR0007",
            "The activation \(pending) was not completed in time; it ended at 2026-01-02T03:09:05.000Z.")
    }

    private func status(_ id: String, _ members: String = "") throws -> [String: JSONValue] {
        try bench.result(bench.manage("activation/status", of(id, members)))
    }

    private static let challenge = #""challenge": "AAAAAAAAAAAAAAAAAAAAAA==""#

    @Test func `an id that never was is REMOVED, and told like any other`() throws {
        var told = try status("nil", Self.challenge)
        #expect(Base64.decode(told.removeValue(forKey: "encryptedStatusBlob")?.string ?? "")?.count == 32)
        #expect(
            Base64.decode(told.removeValue(forKey: "encryptedStatusBlobNonce")?.string ?? "")?.count == 16)
        let never: JSONValue = "1970-01-01T00:00:00.000+00:00"
        #expect(
            told == [
                "activationId": "nil", "activationStatus": "REMOVED", "activationOtpValidation": "NONE",
                "commitPhase": "ON_COMMIT", "userId": "unknown", "activationName": "unknown",
                "activationFlags": [], "applicationRoles": [], "failedAttempts": 0, "maxFailedAttempts": 5,
                "timestampCreated": never, "timestampLastUsed": never, "version": 0,
            ])
    }

    // A server in front hands blob and nonce on to the device.
    @Test func `the status of one without keys is chance, and drawn anew each time`() throws {
        let (created, _) = try bench.register()
        for id in [created, "nil"] {
            let (one, other) = (try status(id, Self.challenge), try status(id, Self.challenge))
            #expect(one["version"] == 0)
            #expect(one["encryptedStatusBlob"]?.string?.count == 44)
            #expect(one["encryptedStatusBlob"] != other["encryptedStatusBlob"])
            #expect(one["encryptedStatusBlobNonce"] != other["encryptedStatusBlobNonce"])
            #expect(try status(id)["encryptedStatusBlobNonce"] == nil)
        }
        #expect(try status(bench.exchanged().id)["version"] == 3)
    }

    @Test(arguments: [#""AAAA""#, #""*""#, "7"])
    func `a challenge that is none is refused`(_ challenge: String) throws {
        let refused = try status("nil", #""challenge": "# + challenge)
        #expect(refused["code"] == "ERR0024")
        #expect(refused["message"]?.string?.contains("challenge: expected 16 bytes in Base64") == true)
    }

    @Test func `flags are added, replaced and taken away in their order`() throws {
        let (id, _) = try bench.register(#""flags": ["A", "B"]"#)
        func flags(_ call: String, _ given: String) throws -> JSONValue? {
            try bench.result(
                bench.manage(
                    "activation/flags/" + call, of(id, given.isEmpty ? "" : "\"activationFlags\": \(given)")))[
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
        #expect(
            try ids("activation/lookup", #"{"userIds": ["ada"], "activationFlags": ["A", "B"]}"#) == [first])
        #expect(
            try ids("activation/lookup", #"{"userIds": ["ada"], "activationStatus": "ACTIVE"}"#) == [second])
        #expect(
            try ids(
                "activation/lookup",
                "{\"userIds\": [\"ada\"], \"timestampLastUsedBefore\": \(bench.now - 5000)}")
                == [first])
        #expect(
            try ids(
                "activation/lookup",
                #"{"userIds": ["ada"], "timestampLastUsedAfter": "2026-01-02T03:04:10+0000"}"#)
                == [second])
    }

    @Test func `one state for many is all or nothing`() throws {
        let (_, first) = try bench.active()
        let (_, second) = try bench.active()
        let both = "{\"activationIds\": [\"\(first)\", \"\(second)\"], \"activationStatus\": "
        #expect(
            try bench.result(bench.manage("activation/status/update", both + "\"BLOCKED\"}")) == [
                "updated": true
            ])
        #expect(try bench.state(first) == "BLOCKED")
        #expect(try bench.state(second) == "BLOCKED")
        bench.cloud(.delete, "/v2/registrations/\(second)")
        try bench.expect(
            bench.manage("activation/status/update", both + "\"ACTIVE\"}"), "ERR0008",
            "The activation is REMOVED, expected any other state: REMOVED is final.",
            because: "Because of \(second) nothing changed, neither this one nor the others. The")
        #expect(try bench.state(first) == "BLOCKED")
    }

    private func set(_ state: String, of id: String) -> Response {
        bench.manage(
            "activation/status/update", #"{"activationIds": ["\#(id)"], "activationStatus": "\#(state)"}"#)
    }

    // Source: the activation states of the PowerAuth documentation.
    @Test(arguments: [
        ("CREATED", ["ACTIVE", "BLOCKED", "PENDING_COMMIT"]), ("PENDING_COMMIT", ["CREATED", "BLOCKED"]),
        ("ACTIVE", ["CREATED", "PENDING_COMMIT"]), ("BLOCKED", ["CREATED", "PENDING_COMMIT"]),
        ("REMOVED", ["CREATED", "PENDING_COMMIT", "ACTIVE", "BLOCKED"]),
    ])
    func `no state is set to which no step leads`(_ state: String, _ others: [String]) throws {
        let id: String
        switch state {
        case "CREATED": id = try bench.register().id
        case "PENDING_COMMIT": id = try bench.exchanged().id
        default: id = try bench.active().id
        }
        #expect(try bench.result(set(state, of: id)) == ["updated": true])
        let history = try bench.history(id)
        for other in others {
            let refused = try bench.result(set(other, of: id))
            #expect(refused["code"] == "ERR0008", "\(state) to \(other)")
        }
        #expect(try bench.state(id) == state)
        #expect(try bench.history(id) == history)
    }

    @Test func `a set state is the step that leads there, with all that follows`() throws {
        let (phone, id) = try bench.exchanged()
        #expect(try bench.result(set("ACTIVE", of: id)) == ["updated": true])
        let header = try phone.authorization(uriID: "/login", body: [], with: .pin(OfficeBench.pin))
        #expect(header.contains(id))
        _ = set("BLOCKED", of: id)
        #expect(try bench.show(id)["blockedReason"] == "NOT_SPECIFIED")
        _ = set("ACTIVE", of: id)
        _ = set("REMOVED", of: id)
        #expect(
            try bench.history(id) == [
                "CREATED", "PENDING_COMMIT", "ACTIVE", "BLOCKED NOT_SPECIFIED", "ACTIVE", "REMOVED",
            ])
    }

    @Test func `an activation that asks for an OTP at its commit is not made active without`() throws {
        let (_, id) = try bench.exchanged(#""otp": "1", "otpValidation": "ON_COMMIT""#)
        try bench.expect(
            set("ACTIVE", of: id), "ERR0031",
            "The activation requires an OTP and none was sent; this does not count as an attempt.")
        #expect(try bench.state(id) == "PENDING_COMMIT")
    }
}
