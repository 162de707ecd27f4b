import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

struct UserDeviceTests {
    typealias Bench = ManagementBench
    static let versions = ["v4", "v3"]

    @Test func `version 4 tells model and system in its own spelling`() throws {
        let bench = try Bench()
        try bench.addDevice(push: "token")
        try bench.issue("a", to: Bench.device, context: "AAAAA1")

        let response = bench.get("/oauth/api/v4/users/ada/devices")
        #expect(response.status == .ok)
        #expect(
            response.text == """
                {"devices":[{"application":"com.example.app","createdAt":1767323045000,"id":"\(Bench.device)",\
                "mobileAuthenticationEnabled":true,"model":"iPhone X","name":"Ada's phone","platform":"ios",\
                "pushAuthenticationEnabled":true,"tokenTypes":["DEFAULT"]}]}
                """)
        #expect(try bench.eventTypes() == ["API_DEVICES_LISTED"])
    }

    @Test func `version 3 has underscores and neither model nor system`() throws {
        let bench = try Bench()
        try bench.addDevice()

        #expect(
            bench.get("/oauth/api/v3/users/ada/devices").text == """
                {"devices":[{"application":"com.example.app","created_at":1767323045000,"id":"\(Bench.device)",\
                "mobile_authentication_enabled":true,"name":"Ada's phone","platform":"ios",\
                "push_authentication_enabled":false,"token_types":[]}]}
                """)
    }

    @Test(arguments: versions)
    func `a user without devices gets 404`(version: String) throws {
        let bench = try Bench()
        let response = bench.get("/oauth/api/\(version)/users/ada/devices")

        #expect(response.status == .notFound)
        #expect(response.text == "{\"error\":\"No devices found\"}")
        #expect(try bench.eventTypes() == ["API_DEVICES_NO_DATA_FOUND"])
    }

    @Test(arguments: versions)
    func `removing a device takes one user from it and leaves the other`(version: String) throws {
        let bench = try Bench()
        try bench.addDevice(users: ["ada", "grace"])
        try bench.issue("a", to: Bench.device, context: "AAAAA1")
        try bench.issue("g", to: Bench.device, for: "grace", context: "AAAAA2")

        let path = "/oauth/api/\(version)/users/ada/devices/"
        #expect(bench.delete(path + "unknown").status == .noContent)
        let response = bench.delete(path + Bench.device)
        #expect(response.status == .noContent)
        #expect(response.bytes.isEmpty)
        #expect(bench.get("/oauth/api/v4/users/ada/devices").status == .notFound)
        #expect(bench.get("/oauth/api/v4/users/grace/devices").status == .ok)
        #expect(try [bench.isAlive("a"), bench.isAlive("g")] == [false, true])
        #expect(try bench.eventTypes().contains("API_DEVICE_REMOVED_FOR_ONE_PROFILE"))
        let onegini = bench.onegini
        let client = try onegini.database.read { try onegini.server.clients.find(Bench.device, in: $0) }
        #expect(client != nil, "the device's credentials stay")
    }

    @Test(arguments: versions)
    func `all devices of a user go at once`(version: String) throws {
        let bench = try Bench()
        try bench.addDevice()
        try bench.addDevice(String(repeating: "CD", count: 32))

        #expect(bench.delete("/oauth/api/\(version)/users/ada/devices").status == .noContent)
        #expect(bench.get("/oauth/api/v4/users/ada/devices").status == .notFound)
        #expect(bench.delete("/oauth/api/\(version)/users/ada/devices").status == .noContent)
    }

    @Test(arguments: versions)
    func `a selection of devices goes, and what is not there is told`(version: String) throws {
        let bench = try Bench()
        let path = "/oauth/api/\(version)/users/ada/devices"
        try bench.addDevice()

        let partly = bench.post(path, "{\"delete\": [\"unknown_device_id\", \"\(Bench.device)\"]}")
        #expect(partly.status == .internalServerError)
        #expect(
            partly.text == """
                {"code":"not_all_devices_deleted","details":[{"id":"unknown_device_id","status":\
                {"code":"device_not_deleted","details":[],"message":"The device could not be deleted."}}],\
                "message":"Some of the devices could not be deleted."}
                """)
        #expect(bench.bench.explanation?.contains("unknown_device_id") == true)
        #expect(bench.get("/oauth/api/v4/users/ada/devices").status == .notFound, "the other one is gone")

        try bench.addDevice(String(repeating: "CD", count: 32))
        let wholly = bench.post(path, "{\"delete\": [\"\(String(repeating: "CD", count: 32))\"]}")
        #expect(wholly.status == .noContent)
    }

    @Test(arguments: ["{}", "{\"delete\": \"x\"}", "{\"delete\": [7]}", "[]", "{"])
    func `a selection that is none is 400`(body: String) throws {
        let bench = try Bench()
        let response = bench.post("/oauth/api/v4/users/ada/devices", body)

        #expect(response.status == .badRequest)
        let detail = body.hasPrefix("{") && body.count > 1 ? "delete" : "body"
        #expect(
            response.text == """
                {"code":"invalid_request","details":["\(detail)"],"message":"One or more parameters is missing or \
                incorrect."}
                """)
    }

    @Test(arguments: versions)
    func `disabling mobile authentication drops the keys and leaves the profile`(version: String) throws {
        let bench = try Bench()
        try bench.addDevice(push: "token")
        let path = "/oauth/api/\(version)/users/ada/devices/\(Bench.device)/"

        #expect(bench.post(path + "disableMobileAuthentication").status == .noContent)
        let listed = bench.get("/oauth/api/v4/users/ada/devices").text
        #expect(listed.contains("\"mobileAuthenticationEnabled\":false"))
        #expect(listed.contains("\"pushAuthenticationEnabled\":false"))
        #expect(try bench.eventTypes().contains("API_AUTHENTICATION_APP_AND_USER_CLIENT_KEYS_REMOVED"))
        #expect(bench.post(path + "disableMobileAuthentication").status == .noContent)
    }

    @Test(arguments: versions)
    func `disabling push leaves the keys`(version: String) throws {
        let bench = try Bench()
        try bench.addDevice(push: "token")
        let path = "/oauth/api/\(version)/users/ada/devices/\(Bench.device)/disablePushAuthentication"

        #expect(bench.post(path).status == .noContent)
        let listed = bench.get("/oauth/api/v4/users/ada/devices").text
        #expect(listed.contains("\"mobileAuthenticationEnabled\":true"))
        #expect(listed.contains("\"pushAuthenticationEnabled\":false"))
    }

    @Test(arguments: versions)
    func `disabling the fingerprint ends its tokens and no others`(version: String) throws {
        let bench = try Bench()
        try bench.addDevice()
        try bench.issue("finger", to: Bench.device, amr: ["FINGER_PRINT"], context: "AAAAA1")
        try bench.issue("pin", to: Bench.device, amr: ["DEFAULT"], context: "AAAAA1")

        let path = "/oauth/api/\(version)/users/ada/devices/\(Bench.device)/disableFingerprint"
        #expect(bench.post(path).status == .noContent)
        #expect(try [bench.isAlive("finger"), bench.isAlive("pin")] == [false, true])
    }
}
