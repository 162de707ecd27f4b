import Essentials
import HTTP
import OpenID
import PlatformKit
import TestKit
import Testing

@testable import Onegini

/// Devices that register by RFC 7591, §15.3.
@Suite struct StandardRegistrationTests {
    private func register(
        _ bench: TestBench<Onegini>, id: String = ExampleApp.id, version: String? = "1.0.0"
    ) throws -> Response {
        var body: [String: JSONValue] = [
            "software_id": .string(id), "redirect_uris": [.string(ExampleApp.redirectURI)],
            "application_type": "native", "client_name": "Ada's tablet",
        ]
        body["software_version"] = version.map(JSONValue.string)
        return try bench.post("/oauth/register", JSONValue.object(body))
    }

    @Test func `a client with an application as its software is a device`() throws {
        let bench = try TestBench<Onegini>.devices()

        let response = try register(bench)

        #expect(response.status == .created)
        let fields = response.fields
        #expect(fields["client_id"]?.wholeMatch(of: /[0-9A-F]{64}/) != nil)
        #expect(fields["client_secret"]?.wholeMatch(of: /[0-9A-F]{64}/) != nil)
        #expect(fields["software_id"] == ExampleApp.id)
        let phone = Phone(id: fields["client_id"] ?? "", secret: fields["client_secret"] ?? "")
        let started = try bench.post(
            bench.sdk("/clients/validate"), ["app_version": "1.0.0"], headers: phone.headers)
        #expect(started.status == .ok)
        #expect(started.fields["status"] == "valid")
        let user = try bench.logIn(on: phone)
        #expect(user.profile.count == 6 && user.refreshToken.count == 64)
        #expect(try bench.eventTypes.first == "DYNAMIC_REG_SUCCESS")
    }

    @Test(arguments: ["7.7.7", "0.9.0", nil])
    func `a version that may not register is refused`(version: String?) throws {
        let bench = try TestBench<Onegini>.devices()

        let response = try register(bench, version: version)

        #expect(response.status == .badRequest)
        #expect(response.fields["error"] == "invalid_client_metadata")
        #expect(bench.explanation?.contains("1.0.0") == true)
    }

    @Test func `other software is no device`() throws {
        let bench = try TestBench<Onegini>.devices()
        let fields = try register(bench, id: "4NRB1-0XZABZI9E6-5SM3R").fields
        let client = Phone(id: fields["client_id"] ?? "", secret: fields["client_secret"] ?? "")

        let started = try bench.post(
            bench.sdk("/clients/validate"), ["app_version": "1.0.0"], headers: client.headers)

        #expect(started.status == .unauthorized)
    }

    @Test func `a device that leaves by its registration is gone`() throws {
        let bench = try TestBench<Onegini>.devices()
        let fields = try register(bench).fields
        let phone = Phone(id: fields["client_id"] ?? "", secret: fields["client_secret"] ?? "")

        let left = bench.delete(
            "/oauth/register/\(phone.id)",
            headers: ["Authorization": "Bearer \(fields["registration_access_token"] ?? "")"])

        #expect(left.status == .noContent)
        let started = try bench.post(
            bench.sdk("/clients/validate"), ["app_version": "1.0.0"], headers: phone.headers)
        #expect(started.status == .unauthorized)
        #expect(started.fields["sdk_code"] == "9002")
    }
}
