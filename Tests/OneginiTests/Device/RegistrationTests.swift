import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

/// The device protocol, §15.2.
@Suite struct RegistrationTests {
    @Test func `a challenge says everything that the response needs`() throws {
        let bench = try TestBench<Onegini>.devices()

        let response = try bench.post(
            bench.sdk("/clients/challenge"),
            ["app_identifier": ExampleApp.id, "app_platform": "ios", "app_version": "1.0.0"])

        #expect(response.status == .ok)
        #expect(response.headers["Cache-Control"] == "no-store")
        var fields = response.fields
        #expect(fields.removeValue(forKey: "identifier")?.count == 36)
        #expect(fields.removeValue(forKey: "challenge")?.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(
            fields == [
                "ocra_suite": "OCRA-1:HOTP-SHA256-8:QH64-T1M", "expires_in": "600",
                "server_time": "1767323045000", "integrity_check": "FULL",
            ])
    }

    @Test(arguments: [
        (#"{"app_platform": "ios", "app_version": "1.0.0"}"#, 400, "invalid_request", "9008"),
        (#"{"app_identifier": "com.example.app", "app_version": "1.0.0"}"#, 400, "invalid_request", "9008"),
        (#"{"app_identifier": "com.example.app", "app_platform": "ios"}"#, 400, "invalid_request", "9008"),
        (
            #"{"app_identifier": 7, "app_platform": "ios", "app_version": "1"}"#, 400, "invalid_request",
            "9008"
        ),
        ("[]", 400, "invalid_request", "9008"), ("{", 400, "invalid_request", "9008"),
        (body("com.example.other", "ios", "1.0.0"), 404, "unknown_app_version", "9008"),
        (body(ExampleApp.id, "windows", "1.0.0"), 404, "unknown_app_version", "9008"),
        (body(ExampleApp.id, "ios", "7.7.7"), 404, "unknown_app_version", "9008"),
        (body(ExampleApp.id, "ios", "0.9.0"), 403, "registration_disabled", "9004"),
        (body(ExampleApp.id, "ios", "0.8.0"), 403, "registration_disabled", "9004"),
        (body(ExampleApp.id, "ios", "1.1.0"), 403, "os_version_blocked", "9005"),
        (body(ExampleApp.id, "ios", "1.1.0", os: "16.0"), 403, "os_version_blocked", "9005"),
        (body(ExampleApp.id, "ios", "1.1.0", os: "15.1.9"), 403, "os_version_blocked", "9005"),
        (body(ExampleApp.id, "ios", "1.1.0", os: "new"), 403, "os_version_blocked", "9005"),
    ])
    func `a challenge is refused`(body: String, status: Int, error: String, code: String) throws {
        let bench = try TestBench<Onegini>.devices()

        let response = bench.post(bench.sdk("/clients/challenge"), raw: body)

        #expect(response.status.code == status)
        #expect(response.refusal == ["error": error, "sdk_code": code])
        #expect(bench.explanation != nil)
    }

    private static func body(_ app: String, _ platform: String, _ version: String, os: String? = nil)
        -> String
    {
        #"{"app_identifier": "\#(app)", "app_platform": "\#(platform)", "app_version": "\#(version)""#
            + (os.map { #", "os_version": "\#($0)""# } ?? "") + "}"
    }

    @Test func `a right response makes a dynamic client`() throws {
        let bench = try TestBench<Onegini>.devices()
        let asked = try bench.challenge()

        let response = try bench.post(
            bench.sdk("/clients"),
            [
                "identifier": asked.identifier, "ocra_response": try bench.response(to: asked.challenge),
                "device_name": "Ada's phone", "device_model": "Model 5", "os_version": "17.1",
            ])

        #expect(response.status == .created)
        #expect(response.headers["Cache-Control"] == "no-store")
        let body = try JSONValue(parsing: response.bytes)
        let id = try #require(body["client_id"]?.string)
        #expect(id.wholeMatch(of: /[0-9A-F]{64}/) != nil)
        #expect(body["device_id"]?.string == id)
        #expect(body["device_name"] == "Ada's phone")
        #expect(body["client_secret"]?.string?.wholeMatch(of: /[0-9A-F]{64}/) != nil)
        #expect(body["client_secret_expires_at"] == 0)
        #expect(body["client_id_issued_at"] == 1_767_323_045)
        #expect(body["redirect_uris"] == [.string(ExampleApp.redirectURI)])
        #expect(body["grant_types"] == ["authorization_code", "refresh_token", "client_credentials"])
        #expect(body["response_types"] == ["code"])
        #expect(body["token_endpoint_auth_method"] == "client_secret_basic")
        #expect(
            body["registration_client_uri"]?.string == "http://localhost:8420/oauth/register/\(id)")
        #expect(body["registration_access_token"]?.string?.isEmpty == false)
        #expect(body["config"]?["max_pin_attempts"] == 3)
        #expect(body["config"]?["mobile_auth_enrollment_enabled"] == true)
        #expect(body["config"]?["redirect_url"]?.string == ExampleApp.redirectURI)
        #expect(try bench.eventTypes == ["DYNAMIC_REG_SUCCESS"])
    }

    @Test func `a device without a name gets one`() throws {
        let bench = try TestBench<Onegini>.devices()

        let phone = try bench.register(name: nil)

        let device = try bench.world.database.read { db in try db.device(phone.id) }
        #expect(device?.name == "ios-\(phone.id.prefix(8))")
    }

    @Test(arguments: [-10, -9, 0, 9, 10])
    func `the clock of a device may be ten minutes off`(minutes: Int) throws {
        let bench = try TestBench<Onegini>.devices()
        let asked = try bench.challenge()

        let response = try respond(bench, asked, minutesOff: minutes)

        #expect(response.status == .created)
    }

    @Test(arguments: [-1440, -11, 11, 14, 1440])
    func `a clock that is further off is told, with the right time`(minutes: Int) throws {
        let bench = try TestBench<Onegini>.devices()
        let asked = try bench.challenge()

        let response = try respond(bench, asked, minutesOff: minutes)

        #expect(response.status == .badRequest)
        #expect(
            response.refusal == [
                "error": "invalid_datetime", "sdk_code": "9031", "server_time": "1767323045000",
            ])
        #expect(bench.explanation?.contains("\(abs(minutes)) minutes") == true)
        #expect(bench.explanation?.contains(minutes > 0 ? "ahead of" : "behind") == true)
    }

    @Test(arguments: [-1441, 1441])
    func `a clock off by more than a day is a wrong response`(minutes: Int) throws {
        let bench = try TestBench<Onegini>.devices()
        let asked = try bench.challenge()

        let response = try respond(bench, asked, minutesOff: minutes)

        #expect(response.status == .unauthorized)
        #expect(response.refusal == ["error": "invalid_ocra_response", "sdk_code": "10024"])
    }

    private func respond(
        _ bench: TestBench<Onegini>, _ asked: (identifier: String, challenge: String),
        signature: String = ExampleApp.signature, minutesOff: Int = 0
    ) throws -> Response {
        try bench.post(
            bench.sdk("/clients"),
            [
                "identifier": asked.identifier,
                "ocra_response": try bench.response(
                    to: asked.challenge, signature: signature, minutesOff: minutesOff),
            ])
    }

    @Test func `five wrong responses drop the challenge`() throws {
        let bench = try TestBench<Onegini>.devices()
        let asked = try bench.challenge()

        for left in [4, 3, 2, 1] {
            let wrong = try respond(bench, asked, signature: "no.signature")
            #expect(wrong.status == .unauthorized)
            #expect(wrong.refusal == ["error": "invalid_ocra_response", "sdk_code": "10024"])
            #expect(bench.explanation?.contains("\(left) more \(left == 1 ? "try" : "tries")") == true)
        }
        #expect(try respond(bench, asked, signature: "no.signature").status == .unauthorized)

        let right = try respond(bench, asked)
        #expect(right.status == .badRequest)
        #expect(right.refusal == ["error": "invalid_registration", "sdk_code": "9008"])
    }

    @Test func `a challenge is good once`() throws {
        let bench = try TestBench<Onegini>.devices()
        let asked = try bench.challenge()
        #expect(try respond(bench, asked).status == .created)

        let again = try respond(bench, asked)

        #expect(again.status == .badRequest)
        #expect(again.refusal == ["error": "invalid_registration", "sdk_code": "9008"])
    }

    @Test(arguments: [(599.0, 201), (600.0, 400)])
    func `a challenge is good for ten minutes`(seconds: Double, status: Int) throws {
        let bench = try TestBench<Onegini>.devices()
        let asked = try bench.challenge()
        try bench.clock.advance(seconds: seconds)

        let response = try respond(bench, asked)

        #expect(response.status.code == status)
        if status == 400 {
            #expect(response.refusal == ["error": "invalid_registration", "sdk_code": "9008"])
            #expect(bench.explanation?.contains("expired") == true)
        }
    }

    @Test(arguments: [
        #"{"ocra_response": "12345678"}"#, #"{"identifier": "x"}"#,
        #"{"identifier": "x", "ocra_response": "1234567"}"#,
        #"{"identifier": "x", "ocra_response": "1234567a"}"#,
        #"{"identifier": "x", "ocra_response": 12345678}"#,
        #"{"identifier": "x", "ocra_response": "12345678", "device_name": "\#(String(repeating: "n", count: 256))"}"#,
        #"{"identifier": "x", "ocra_response": "12345678", "device_name": "w\#(String(repeating: "\u{200D}\u{1F469}", count: 128))"}"#,
    ])
    func `a malformed response is refused and not counted`(body: String) throws {
        let bench = try TestBench<Onegini>.devices()

        let response = bench.post(bench.sdk("/clients"), raw: body)

        #expect(response.status == .badRequest)
        #expect(response.refusal == ["error": "invalid_request", "sdk_code": "9008"])
    }

    @Test func `without an integrity check any eight digits will do`() throws {
        let bench = try TestBench<Onegini>.devices()
        let asked = try bench.challenge(version: "2.0.0", platform: "android")

        let response = try bench.post(
            bench.sdk("/clients"), ["identifier": asked.identifier, "ocra_response": "00000000"])

        #expect(response.status == .created)
    }

    @Test func `the explanation finds the signature of another version`() throws {
        let bench = try TestBench<Onegini>.devices()
        let asked = try bench.challenge()

        let response = try respond(bench, asked, signature: "android.signature")

        #expect(response.status == .unauthorized)
        #expect(bench.explanation?.contains("the application signature of android 1.0.0") == true)
    }

    @Test(arguments: [
        (1_767_323_045, "in seconds"), (1_767_323_045 / 30, "in half minutes"),
        (1_767_323_045_000 / 60, "in milliseconds"),
    ])
    func `the explanation finds a time in the wrong unit`(step: Int, unit: String) throws {
        let bench = try TestBench<Onegini>.devices()
        let asked = try bench.challenge()
        let challenge = try #require(hex(asked.challenge))

        _ = try bench.post(
            bench.sdk("/clients"),
            [
                "identifier": asked.identifier,
                "ocra_response": RegistrationResponse.response(
                    key: RegistrationResponse.key(of: ExampleApp.signature), question: challenge, step: step),
            ])

        #expect(bench.explanation?.contains(unit) == true, "\(bench.explanation ?? "")")
    }

    @Test func `the explanation finds a signature that was not hashed`() throws {
        let bench = try TestBench<Onegini>.devices()
        let asked = try bench.challenge()
        let challenge = try #require(hex(asked.challenge))

        _ = try bench.post(
            bench.sdk("/clients"),
            [
                "identifier": asked.identifier,
                "ocra_response": RegistrationResponse.response(
                    key: Array(ExampleApp.signature.utf8), question: challenge, step: 1_767_323_045 / 60),
            ])

        #expect(bench.explanation?.contains("the signature itself instead of its SHA-256") == true)
    }

    @Test func `a version without a signature says that no response can be right`() throws {
        let bench = try TestBench<Onegini>.devices()
        let asked = try bench.challenge(version: "3.0.0")

        let response = try respond(bench, asked, signature: "no.signature")

        #expect(response.status == .unauthorized)
        #expect(bench.explanation?.contains("no application signature") == true)
    }

    @Test func `refusals are events of the catalogue`() throws {
        let bench = try TestBench<Onegini>.devices()

        for body in [
            "{}", Self.body(ExampleApp.id, "ios", "7.7.7"), Self.body(ExampleApp.id, "ios", "0.9.0"),
            Self.body(ExampleApp.id, "ios", "0.8.0"), Self.body(ExampleApp.id, "ios", "1.1.0"),
        ] { _ = bench.post(bench.sdk("/clients/challenge"), raw: body) }
        let asked = try bench.challenge()
        _ = try respond(bench, asked, signature: "no.signature")
        _ = try respond(bench, asked, minutesOff: 30)

        #expect(
            try bench.eventTypes == [
                "DYNAMIC_REG_INVALID_REQUEST", "DYNAMIC_REG_PLATFORM_VERSION_UNKNOWN",
                "DYNAMIC_REG_NEW_REGISTRATIONS_DISABLED", "DYNAMIC_REG_VERSION_DISABLED",
                "DYNAMIC_REG_OS_VERSION_INVALID", "DYNAMIC_REG_FAILED_INVALID_RESPONSE", "DYNAMIC_REG_FAILED",
            ])
    }

    private func hex(_ text: String) -> [UInt8]? {
        stride(from: 0, to: text.utf8.count, by: 2).map { index in
            UInt8(text.dropFirst(index).prefix(2), radix: 16) ?? 0
        }
    }
}
