import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

/// The device protocol, §15.4.
@Suite struct ValidationTests {
    private func validate(
        _ bench: TestBench<Onegini>, _ phone: Phone, _ body: [String: String] = ["app_version": "1.0.0"]
    ) throws -> Response {
        try bench.post(bench.sdk("/clients/validate"), body, headers: phone.headers)
    }

    @Test func `a valid device hears of its profiles and its settings`() throws {
        let bench = try TestBench<Onegini>.devices(
            app: #""identity_providers": [{"id": "idp", "name": "Login"}], "registration_validity": 5000,"#)
        let phone = try bench.registeredUser()

        let response = try validate(bench, phone)

        #expect(response.status == .ok)
        let body = try JSONValue(parsing: response.bytes)
        #expect(
            body == [
                "status": "valid", "removed_profiles": [],
                "profiles": [
                    [
                        "profile_id": .string(phone.profile), "mobile_auth_enrolled": false,
                        "push_enrolled": false,
                    ]
                ],
                "config": [
                    "max_pin_attempts": 3,
                    "pin_policy": [
                        "pin_length": 5, "max_similar_digits": 2, "sequences_allowed": false,
                        "blocked_pins": ["90210"],
                    ],
                    "registration_validity_seconds": 5000,
                    "identity_providers": [["id": "idp", "name": "Login"]],
                    "authenticators": ["PIN"], "mobile_auth_enrollment_enabled": true,
                    "redirect_url": .string(ExampleApp.redirectURI), "resource_gateway_uris": [],
                    "server_public_key_fingerprint": body["config"]?["server_public_key_fingerprint"] ?? "",
                ],
            ])
        let fingerprint = body["config"]?["server_public_key_fingerprint"]?.string
        #expect(fingerprint?.wholeMatch(of: /[0-9A-F]{40}/) != nil)
        #expect(try bench.eventTypes.last == "CLIENT_VALIDATION_SUCCESS")
    }

    @Test func `a removed profile is told once`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        _ = try bench.world.database.write { db in
            try bench.onegini.registry.disconnect(user: "ada", from: phone.id, because: "Test.", in: db)
        }

        let first = try JSONValue(parsing: try validate(bench, phone).bytes)
        let second = try JSONValue(parsing: try validate(bench, phone).bytes)

        #expect(first["removed_profiles"] == [.string(phone.profile)])
        #expect(first["profiles"] == [])
        #expect(second["removed_profiles"] == [])
    }

    @Test func `a profile that is registered again is no removed one`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        _ = try bench.world.database.write { db in
            try bench.onegini.registry.disconnect(user: "ada", from: phone.id, because: "Test.", in: db)
        }
        _ = try bench.logIn("grace", on: phone, profile: phone.profile)

        let body = try JSONValue(parsing: try validate(bench, phone).bytes)

        #expect(body["removed_profiles"] == [])
    }

    @Test func `credentials that are not known are refused`() throws {
        let bench = try TestBench<Onegini>.devices()
        let stranger = Phone(id: "0123", secret: "none")

        let response = try validate(bench, stranger)

        #expect(response.status == .unauthorized)
        #expect(response.refusal == ["error": "invalid_client"])
        #expect(try bench.eventTypes.contains("CLIENT_VALIDATION_INVALID_CLIENT"))
    }

    @Test func `a device that existed once hears that it is deregistered`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()
        _ = try bench.world.database.write { db in
            try bench.onegini.registry.removeDevice(phone.id, because: "The administrator did.", in: db)
        }

        let response = try validate(bench, phone)

        #expect(response.status == .unauthorized)
        #expect(response.headers["WWW-Authenticate"]?.hasPrefix("Basic") == true)
        #expect(
            response.refusal == [
                "error": "invalid_client", "onegini_error": "device_deregistered", "sdk_code": "9002",
            ])
        #expect(bench.explanation?.contains("The administrator did.") == true)
    }

    @Test func `a tombstone lasts for seven days`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()
        _ = try bench.world.database.write { db in
            try bench.onegini.registry.removeDevice(phone.id, because: "Test.", in: db)
        }
        try bench.clock.advance(seconds: 604_801)

        #expect(try validate(bench, phone).refusal == ["error": "invalid_client"])
    }

    @Test(
        arguments: [
            ([:], 400, "invalid_request", "10015"),
            (["app_version": "1.0.0", "app_platform": "android"], 400, "invalid_request", "10015"),
            (["app_version": "0.8.0"], 403, "version_disabled", "9004"),
            (["app_version": "7.7.7"], 403, "version_disabled", "9004"),
            (["app_version": "1.1.0"], 403, "os_version_blocked", "9005"),
            (["app_version": "1.1.0", "os_version": "14.9"], 403, "os_version_blocked", "9005"),
        ] as [([String: String], Int, String, String)])
    func `a validation is refused`(
        body: [String: String], status: Int, error: String, code: String
    ) throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()

        let response = try validate(bench, phone, body)

        #expect(response.status.code == status)
        #expect(response.refusal == ["error": error, "sdk_code": code])
    }

    @Test func `a known version that differs is the device's from now on`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()

        let response = try validate(
            bench, phone, ["app_version": "1.1.0", "app_platform": "ios", "os_version": "17.0"])

        #expect(response.status == .ok)
        let (device, client) = try bench.world.database.read { db in
            (
                try db.device(phone.id),
                try bench.onegini.server.clients.find(phone.id, in: db)
            )
        }
        #expect(device?.version == "1.1.0")
        #expect(device?.osVersion == "17.0")
        #expect(client?.metadata.softwareVersion == "1.1.0")
    }

    @Test func `a version for logins alone goes on`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()

        #expect(try validate(bench, phone, ["app_version": "0.9.0"]).status == .ok)
    }

    @Test func `a web client is no device`() throws {
        let bench = try TestBench<Onegini>.devices()

        let response = try validate(bench, Phone(id: "portal", secret: "secret"))

        #expect(response.status == .unauthorized)
        #expect(response.refusal == ["error": "invalid_client"])
        #expect(bench.explanation?.contains("kind web") == true)
    }
}
