import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

struct ApplicationVersionTests {
    typealias Bench = ManagementBench
    static let path = "/api/v1/configuration/applications/com.example.app/platforms/ios/versions"
    static let shown = """
        {"framework":"CORDOVA","integrity_check":"FULL","mobile_app_id":"com.example.app",\
        "payload_encryption_enabled":false,"platform":"ios","status":"LOGIN_ONLY","tampering_protection_enabled":false,\
        "version_name":"1.0.0"}
        """
    static let missing = """
        {"code":"not_found","details":[],"message":"Mobile App, Platform, or Version cannot be found."}
        """

    @Test func `versions are listed by platform, without signatures`() throws {
        let bench = try Bench()
        #expect(bench.get(Self.path).text == "{\"result\":[\(Self.shown)]}")
        #expect(bench.get(Self.path + "/1.0.0/").text == Self.shown)
        #expect(bench.get(Self.path.replacing("ios", with: "android")).text == "{\"result\":[]}")
    }

    @Test func `a version is made, changed and removed`() throws {
        let bench = try Bench()
        let made = bench.post(
            Self.path,
            """
            {"version_name": "2.0.0", "status": "LOGIN_REGISTRATION", "application_signatures": ["a", "b"],
             "integrity_check": "NONE", "payload_encryption_enabled": true, "application_bundle_identifier": "com.e"}
            """)
        #expect(made.status == .created)
        #expect(made.bytes.isEmpty)
        #expect(made.headers["Location"] == Self.path + "/2.0.0/")
        #expect(
            bench.get(Self.path + "/2.0.0/").text == """
                {"application_bundle_identifier":"com.e","integrity_check":"NONE","mobile_app_id":"com.example.app",\
                "payload_encryption_enabled":true,"platform":"ios","status":"LOGIN_REGISTRATION",\
                "tampering_protection_enabled":false,"version_name":"2.0.0"}
                """)

        let change = "{\"status\": \"DISABLED\", \"application_bundle_identifier\": \"\"}"
        #expect(bench.patch(Self.path + "/2.0.0/", change).status == .noContent)
        let version = try bench.get(Self.path + "/2.0.0/").json(JSONValue.self)
        #expect(version["status"] == "DISABLED")
        #expect(version["application_bundle_identifier"] == nil)
        #expect(version["integrity_check"] == "NONE")
        #expect(try signatures(of: "2.0.0", bench) == ["a", "b"])

        #expect(bench.delete(Self.path + "/2.0.0/").status == .noContent)
        #expect(bench.get(Self.path + "/2.0.0/").text == Self.missing)
    }

    @Test func `a clone has everything but what is said to differ`() throws {
        let bench = try Bench()
        let made = bench.post(
            Self.path + "/1.0.0/clone", "{\"version_name\": \"1.0.1\", \"status\": \"DISABLED\"}")

        #expect(made.status == .created)
        #expect(made.headers["Location"] == Self.path + "/1.0.1/")
        let clone = try bench.get(Self.path + "/1.0.1/").json(JSONValue.self)
        #expect(clone["framework"] == "CORDOVA")
        #expect(clone["status"] == "DISABLED")
        #expect(try signatures(of: "1.0.1", bench) == ["sig"])
        let again = bench.post(Self.path + "/1.0.0/clone", "{\"version_name\": \"1.0.1\"}")
        #expect(again.status == .conflict)
        #expect(
            again.text == """
                {"code":"conflict","details":[],"message":"An application version with the same appId, platform, and version \
                already exists."}
                """)
        #expect(bench.post(Self.path + "/9/clone", "{\"version_name\": \"1\"}").text == Self.missing)
        #expect(bench.post(Self.path + "/1.0.0/clone").status == .badRequest)
    }

    @Test func `what is wrong with a version is named`() throws {
        let bench = try Bench()
        let empty = bench.post(Self.path)
        #expect(empty.status == .badRequest)
        #expect(
            empty.text == """
                {"code":"invalid_request","details":["version_name","status","application_signatures"],\
                "message":"One or more parameters is missing or incorrect."}
                """)
        #expect(bench.patch(Self.path + "/1.0.0/", "{\"status\": \"ON\"}").status == .badRequest)
        #expect(bench.patch(Self.path + "/1.0.0/", "{\"application_signatures\": []}").status == .badRequest)
        #expect(bench.get(Self.path.replacing("ios", with: "windows")).text == Self.missing)
        #expect(bench.get(Self.path.replacing("com.example.app", with: "none")).text == Self.missing)
    }

    @Test func `the exported configuration is a zip file that holds one`() throws {
        let response = try Bench().get(Self.path + "/1.0.0/export")

        #expect(response.status == .ok)
        #expect(response.headers["Content-Type"] == "application/zip;charset=UTF-8")
        let bytes = response.bytes
        // PKWARE APPNOTE §4.3.7: signature, then at 18 the size, at 26 the length of the name, at 30 the name.
        #expect(Array(bytes.prefix(4)) == [0x50, 0x4B, 0x03, 0x04])
        let size = bytes[18..<22].reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(String(decoding: bytes[30..<41], as: UTF8.self) == "config.json")
        let configuration = try JSONValue(parsing: Array(bytes[41..<41 + size]))
        #expect(configuration["token_server_uri"] == "http://localhost:8420/")
        #expect(configuration["max_pin_failures"] == 5)
        #expect(configuration["application_identifier"] == "com.example.app")
        #expect(configuration["application_platform"] == "ios")
        #expect(configuration["application_version"] == "1.0.0")
        #expect(configuration["resource_gateway_uri"] == ["https://gateway.test"])
        #expect(configuration["redirect_url"] == "app://back")
        #expect(configuration["server_type"] == "Access")
        #expect(configuration["server_public_key"]?["encoded"]?.string?.utf8.count == 64)
    }

    // Source: the check value of CRC-32 in the catalogue of parametrised CRC algorithms.
    @Test func `the checksum is that of the standard`() {
        #expect(CRC32.of(Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(CRC32.of([]) == 0)
    }

    private func signatures(of version: String, _ bench: Bench) throws -> [String]? {
        let onegini = bench.onegini
        return try onegini.database.read { try $0.application("com.example.app") }?
            .version(version, on: "ios")?.signatures
    }
}
