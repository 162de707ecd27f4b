import Crypto
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

/// What a fixture file may say, and what comes out again.
struct BackOfficeFixtureTests {
    @Test func `an export loads again and is the same, and the phone goes on`() throws {
        let bench = try OfficeBench()
        let (phone, id) = try bench.active(#""flags": ["A"]"#)
        try phone.validate(with: .pin(OfficeBench.pin))
        _ = try bench.exchanged(#""otp": "1""#)
        bench.cloud(
            .post, "/v2/admin/applications/bank/callbacks",
            #"{"name": "x", "type": "OPERATION_STATUS_CHANGE", "callbackUrl": "http://localhost:9/x"}"#)
        bench.manage("integration/create", #"{"name": "office"}"#)

        let exported = try bench.bench.worlds.export(bench.bench.world)
        try bench.bench.worlds.load(FixtureSet(text: exported, file: "export"), into: bench.bench.world)

        #expect(exported == (try bench.bench.worlds.export(bench.bench.world)))
        try phone.validate(with: .pin(OfficeBench.pin))
        #expect(try bench.show(id)["flags"] == ["A"])
    }

    private static let uuid = "00000000-0000-4000-8000-000000000001"
    private static let scalar = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE="

    private static func activation(_ members: String) -> String {
        """
        "activations": [{"id": "\(uuid)", "application": "bank", "user": "ada", "server_key": "\(scalar)", \(members)}]
        """
    }

    private static func callback(_ members: String) -> String {
        """
        "callbacks": [{"id": "\(uuid)", "application": "bank", "name": "x", "type": "OPERATION_STATUS_CHANGE", \(members)}]
        """
    }

    @Test(arguments: [
        (
            activation(#""state": "ACTIVE""#),
            "activations[0]: an activation that is ACTIVE has a device_public_key"
        ),
        (
            activation(#""state": "CREATED", "code": "AAAAA-AAAAA-AAAAA-AAAAQ""#),
            "activations[0].code: activation code: expected the check sum of the code"
        ),
        (activation(#""state": "ODD""#), "activations[0].state: expected one of ACTIVE, BLOCKED, CREATED"),
        (
            activation(#""device_public_key": "AAAA""#),
            "activations[0]: an activation that is ACTIVE has counter_data"
        ),
        (
            activation(#""state": "CREATED", "counter": -1"#),
            "activations[0].counter: expected a number from 0"
        ),
        (
            #""activations": [{"id": "X", "application": "bank", "user": "ada", "server_key": "AA=="}]"#,
            "activations[0].id: expected a UUID in lower case"
        ),
        (callback(#""url": "ftp://x""#), "callbacks[0].url: expected a URL of http or https"),
        (
            callback(#""url": "http://x", "initial_backoff": "2s""#),
            "callbacks[0].initial_backoff: expected a duration"
        ),
        (
            callback(#""url": "http://x", "attributes": ["odd"]"#),
            "callbacks[0].attributes[0]: expected one of type, operationId"
        ),
        (
            callback(#""url": "http://x", "max_attempts": 0"#),
            "callbacks[0].max_attempts: expected a number from 1 to 64"
        ),
    ])
    func `what is wrong is told with its place`(_ members: String, _ words: String) throws {
        do {
            _ = try OfficeBench(members)
            Issue.record("it was taken")
        } catch let error as FixtureError {
            #expect("\(error)".contains("powerauth." + words), "\(error)")
        }
    }

    @Test(arguments: [
        (
            #"{"settings": {"look_ahead": 65}}"#,
            "settings.look_ahead: expected a number from 1 to 64, found 65"
        ),
        (
            #"{"settings": {"callback_times": "x"}}"#,
            "settings.callback_times: expected milliseconds or iso8601"
        ),
        (
            #"{"settings": {"server_generation": "3"}}"#,
            "settings.server_generation: expected 1.9 or 2.x, found “3”"
        ),
        (
            #"{"users": [{"username": "a", "password": "b", "applications": ["nil"]}]}"#,
            "users[0].applications[0]: there is no application “nil”"
        ),
        (
            #"{"users": [{"username": "a", "password": "b"}, {"username": "a", "password": "b"}]}"#,
            "users[1].username: “a” appears twice"
        ),
        (
            #"{"applications": [{"id": "bank", "master_key": ["x"], "versions": []}]}"#,
            "applications[0].master_key: expected a private key in PEM"
        ),
    ])
    func `so is the rest of the file`(_ section: String, _ words: String) throws {
        do {
            _ = try TestBench(PowerAuth.self, fixtures: "{\"powerauth\": \(section)}")
            Issue.record("it was taken")
        } catch let error as FixtureError {
            #expect("\(error)".contains("powerauth." + words), "\(error)")
        }
    }
}
