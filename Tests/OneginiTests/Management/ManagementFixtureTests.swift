import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

struct ManagementFixtureTests {
    typealias Bench = ManagementBench

    @Test func `what the config API made is in the export, and loading it gives the same export`() throws {
        let bench = try Bench()
        let base = "/api/v1/configuration"
        _ = bench.post(base + "/web-clients", WebClientTests.created)
        _ = bench.post(base + "/scopes", "{\"scope_id\": \"read\", \"usage_limit\": 2}")
        _ = bench.post(base + "/idps", "{\"id\": \"i\", \"name\": \"n\", \"type\": \"CUSTOM\"}")
        _ = bench.post(
            base + "/web-hooks",
            """
            {"id": "h", "type": "DABP", "name": "n", "base_uri": "https://h.test", "authentication_method": "BASIC",
             "username": "u", "password": "kept"}
            """)
        _ = bench.get("/oauth/api/v4/users/ada/devices")
        let exported = String(decoding: try bench.bench.worlds.export(bench.bench.world), as: UTF8.self)

        for part in ["web-1", "\"usage_limit\" : 2", "\"password\" : \"kept\"", "API_DEVICES_NO_DATA_FOUND"] {
            #expect(exported.contains(part), "\(part)")
        }
        let other = try TestBench(Onegini.self, fixtures: exported)
        #expect(String(decoding: try other.worlds.export(other.world), as: UTF8.self) == exported)
        let shown = other.get(base + "/scopes/read", headers: Bench.portal)
        #expect(shown.fields["usage_limit"] == "2")
    }

    @Test(arguments: [
        ("\"idps\": [{\"name\": \"n\"}]", "onegini.idps[0].id: expected the id as a text, found none"),
        ("\"web_hooks\": [{\"id\": 7}]", "onegini.web_hooks[0].id: expected the id as a text, found none"),
        (
            "\"scope_verification\": {\"service_endpoint\": \"a b\"}",
            "onegini.scope_verification.service_endpoint: expected a URL without white space and characters beyond ASCII, found “a b”"
        ),
        (
            "\"scope_settings\": [{\"scope_id\": \"a\"}, {\"scope_id\": \"a\"}]",
            "onegini.scope_settings[1].scope_id: “a” appears twice"
        ),
    ])
    func `a fault names its place`(section: String, error: String) throws {
        #expect {
            _ = try TestBench(Onegini.self, fixtures: "{\"onegini\": {\(section)}}")
        } throws: { thrown in
            "\(thrown)".hasSuffix(error)
        }
    }
}
