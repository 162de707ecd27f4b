import Crypto
import Essentials
import HTTP
import PlatformKit
import Testing
import TestKit

@testable import MIRACL

@Suite struct FixtureTests {
    /// Every list of the section, with every member of its entries.
    private static let full = """
        {"miracl": {
            "projects": [{
                "id": "shop", "name": "Shop", "logo_url": "https://shop.test/logo.png",
                "first_share": "\(Shop.firstShare)", "second_share": "\(Shop.secondShare)",
                "previous_shares": [{"first": "\(Shop.secondShare)", "second": "\(Shop.firstShare)"}],
                "pin_length": 6, "verification_method": "custom", "verification_url": "https://shop.test/v",
                "verification_text": "Go to the shop", "identity_type": "alphanumeric",
                "identity_type_label": "Customer number", "enable_registration_code": false,
                "limit_reg_code_verified": true, "force_activation": true, "force_activated_users": ["ada"],
                "allowed_users": ["ada", "@shop.test"], "time_permits": true, "max_attempts": 5, "backoff": 0,
                "block_unknown_identities": true, "customer_id": "c", "customer_name": "C",
                "lifetimes": {"session": 1, "registration": 2, "ticket": 3, "pass": 4, "proof": 5, "activation": 6,
                    "code": 7, "verification": 8, "identity": 9},
                "applications": [{"client_id": "shop-app", "client_secret": "s", "name": "Shop app",
                    "logo_url": "https://shop.test/l.png", "redirect_uris": ["/app/login"], "allowed_users": ["ada"]}],
                "service_accounts": [{"name": "Back end", "token": "t"}]
            }, {"id": "bank", "name": "Bank"}],
            "identities": [{
                "mpin_id": "7b7d", "project_id": "shop", "user_id": "ada", "device_name": "phone", "purpose": "dvs",
                "state": "active", "origin": "quick_code", "public_key": "\(key)", "reg_ott": "r",
                "registration_expires_at": "2026-01-01T00:00:00.500Z", "wrong_count": 2, "push_token": "p",
                "needs_renewal": true, "dtas": "d", "created_at": "2026-01-01T00:00:00Z",
                "last_used_at": "2026-01-02T00:00:00Z", "expires_at": "2026-02-01T00:00:00Z"
            }],
            "sessions": [{
                "access_id": "a", "web_ott": "w", "access_number": "1234567", "project_id": "shop", "state": "user",
                "authorization": {"client_id": "shop-app", "redirect_uri": "https://x.test", "names_redirect_uri": true,
                    "scope": "openid", "state": "s", "nonce": "n", "claims": {"userinfo": {"email": null}},
                    "challenge": "c", "challenge_method": "S256", "issuer": "http://localhost:8420/miracl",
                    "login_hint": "ada"},
                "preroll_id": "ada", "register_only": true, "user_id": "ada", "description": "Ten euros", "hash": "00",
                "signature": "e30=", "redirect_url": "https://x.test?code=1", "created_at": "2026-01-01T00:00:00Z",
                "expires_at": "2026-01-01T00:05:00Z"
            }],
            "codes": [{
                "kind": "quick_code", "text": "123456", "project_id": "shop", "user_id": "ada", "mpin_id": "7b7d",
                "origin": "quick_code", "device_name": "phone", "access_id": "a", "client_id": "shop-app",
                "redirect_uri": "https://x.test", "state": "s", "nonce": "n", "stage": "g",
                "created_at": "2026-01-01T00:00:00Z", "expires_at": "2026-01-01T00:01:00Z",
                "spent_at": "2026-01-01T00:00:30Z", "failures": 3
            }],
            "passes": [{"mpin_id": "7b7d", "u": "u", "ut": "t", "y": "y", "scope": ["oidc", "otp"], "client_id": "shop-app",
                "created_at": "2026-01-01T00:00:00Z", "expires_at": "2026-01-01T00:00:15Z"}],
            "proofs": [{"auth_ott": "o", "mpin_id": "7b7d", "is_right": false, "fault": "f", "scope": ["jwt"], "wid": "a",
                "client_id": "shop-app", "otp": "123456", "expires_at": "2026-01-01T00:01:00Z"}],
            "tickets": [{"ticket": "t", "mpin_id": "7b7d", "share": 2, "expires_at": "2026-01-01T00:01:00Z"}],
            "audit": [{"at": "2026-01-01T00:00:00Z", "project_id": "shop", "type": "authentication",
                "status": "authenticate_success", "user_id": "ada", "hash_mpin_id": "h", "device_name": "phone",
                "client_id": "shop-app", "ip_address": "127.0.0.1"}]
        }}
        """

    /// The generator, which is a point of the group like any other.
    private static let key = Hex.encode(G2Point.generator.bytes)

    private static func section(_ file: [UInt8]) throws -> JSONValue {
        try #require(JSONValue(parsing: file)["miracl"])
    }

    @Test func `every member of every list comes back in an export`() throws {
        let bench = try TestBench<MIRACL>(MIRACL.self, fixtures: Self.full)
        let exported = try bench.worlds.export(bench.world)
        let written = try Self.section(Array(Self.full.utf8))
        let got = try Self.section(exported)
        for (list, entries) in try #require(written.object) {
            let (entries, back) = (try #require(entries.array), try #require(got[list]?.array, "\(list)"))
            #expect(entries.count == back.count, "\(list)")
            for (entry, exported) in zip(entries, back) { expect(exported, has: entry, at: list) }
        }

        let other = try TestBench<MIRACL>(MIRACL.self, fixtures: String(decoding: exported, as: UTF8.self))
        #expect(
            try String(decoding: other.worlds.export(other.world), as: UTF8.self)
                == String(decoding: exported, as: UTF8.self))
    }

    /// Times may gain milliseconds; what was null may be gone.
    private func expect(_ got: JSONValue, has entry: JSONValue, at place: String) {
        switch entry {
        case .object(let members):
            for (name, member) in members where !member.isNull {
                expect(got[name] ?? .null, has: member, at: place + "." + name)
            }
        case .string(let text) where Timestamp.parse(text) != nil:
            #expect(got.string.flatMap(Timestamp.parse) == Timestamp.parse(text), "\(place)")
        default: #expect(got == entry, "\(place)")
        }
    }

    @Test func `what happened in a world goes on in its export`() throws {
        let bench = try TestBench<MIRACL>.shop()
        let phone = try Phone(bench, key: number("z"))
        #expect(try phone.authenticate(pin: 1).status == .unauthorized)
        let exported = String(decoding: try bench.worlds.export(bench.world), as: UTF8.self)

        let other = try TestBench<MIRACL>(MIRACL.self, fixtures: exported)
        #expect(String(decoding: try other.worlds.export(other.world), as: UTF8.self) == exported)
        let moved = phone.moved(to: other)
        #expect(try moved.authenticate(pin: 1).status == .unauthorized)
        #expect(try moved.authenticate(pin: 1).status == .gone, "the third wrong PIN in all")
    }

    @Test(arguments: [
        (project(#""first_share": "00""#), "projects[0].first_share", "32 bytes"),
        (
            project(#""second_share": "\#(String(repeating: "f", count: 64))""#), "projects[0].second_share",
            "not below the order"
        ),
        (
            project(#""first_share": "\#(String(repeating: "0", count: 64))""#), "projects[0].first_share",
            "Zero"
        ),
        (
            project(#""first_share": "\#(one)", "second_share": "\#(minusOne)""#), "projects[0]",
            "add up to zero"
        ),
        (
            project(#""previous_shares": [{"first": "\#(one)", "second": "xy"}]"#),
            "projects[0].previous_shares[0].second", "hexadecimal"
        ),
        (project(#""pin_length": 7"#), "projects[0].pin_length", "from 4 to 6, found 7"),
        (project(#""max_attempts": 0"#), "projects[0].max_attempts", "from 1"),
        (project(#""backoff": -1"#), "projects[0].backoff", "from 0"),
        (project(#""lifetimes": {"pass": 0}"#), "projects[0].lifetimes.pass", "from 1"),
        (project(#""verification_method": "pigeon""#), "projects[0].verification_method", "pigeon"),
        (project(#""pin": 4"#), "projects[0].pin", "pin_length"),
        (
            project(#""applications": [{"client_id": "", "client_secret": "s", "redirect_uris": ["/"]}]"#),
            "projects[0].applications[0].client_id", "found an empty text"
        ),
        (
            project(#""applications": [{"client_id": "a", "client_secret": "", "redirect_uris": ["/"]}]"#),
            "projects[0].applications[0].client_secret", "empty"
        ),
        (
            project(#""applications": [{"client_id": "a", "client_secret": "s", "redirect_uris": []}]"#),
            "projects[0].applications[0].redirect_uris", "one redirect URI"
        ),
        (
            project(#""service_accounts": [{"token": ""}]"#), "projects[0].service_accounts[0].token",
            "found an empty text"
        ),
        (#""projects": [{"id": "", "name": ""}]"#, "projects[0].id", "found an empty text"),
        (
            #""projects": [{"id": "a", "name": "A"}, {"id": "a", "name": "B"}]"#, "projects[1].id",
            "appears twice"
        ),
        (
            project("") + #", "oauth": {"clients": [{"client_id": "x"}]}"#, "oauth.clients",
            "applications of its projects"
        ),
        (identities(entry(mpinID: "7B7D")), "identities[0].mpin_id", "lower case"),
        (identities(entry(), entry()), "identities[1].mpin_id", "appears twice"),
        (identities(entry(project: "bank")), "identities[0].project_id", "no project"),
        (identities(entry(more: #""public_key": "00","#)), "identities[0].public_key", "128 bytes"),
        (identities(entry(more: #""state": "dead","#)), "identities[0].state", "dead"),
        (project("") + #", "sessions": [\#(session), \#(session)]"#, "sessions[1].access_id", "twice"),
        (
            project("")
                + #", "tickets": [{"ticket": "t", "mpin_id": "00", "share": 1, "expires_at": "\#(time)"}]"#,
            "tickets[0].mpin_id", "there is no identity"
        ),
        (
            project("")
                + #", "passes": [{"mpin_id": "00", "u": "", "y": "", "scope": [], "created_at": "\#(time)", "expires_at": "\#(time)"}]"#,
            "passes[0].mpin_id", "there is no identity"
        ),
        (
            project("")
                + #", "proofs": [{"auth_ott": "o", "mpin_id": "00", "is_right": true, "scope": [], "expires_at": "\#(time)"}]"#,
            "proofs[0].mpin_id", "there is no identity"
        ),
        (
            project("")
                + #", "audit": [{"at": "\#(time)", "project_id": "bank", "type": "", "status": "", "user_id": "", "ip_address": ""}]"#,
            "audit[0].project_id", "no project"
        ),
        (
            project("")
                + #", "codes": [{"kind": "otp", "text": "1", "project_id": "bank", "user_id": "", "created_at": "\#(time)", "expires_at": "\#(time)", "failures": 0}]"#,
            "codes[0].project_id", "no project"
        ),
    ])
    func `mistakes are told with their place`(section: String, field: String, reason: String) throws {
        let error = #expect(throws: FixtureError.self) {
            try TestBench<MIRACL>(MIRACL.self, fixtures: "{\"miracl\": {\(section)}}")
        }
        #expect(error?.field == "miracl." + field)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    private static let time = "2026-01-01T00:00:00Z"
    private static let one = String(repeating: "0", count: 63) + "1"
    /// The order of the curve less one.
    private static let minusOne = "2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6c"
    private static let session = """
        {"access_id": "a", "web_ott": "w", "project_id": "shop", "state": "new", "register_only": false,
            "created_at": "\(time)", "expires_at": "\(time)"}
        """

    private static func project(_ members: String) -> String {
        "\"projects\": [{\"id\": \"shop\", \"name\": \"Shop\"\(members.isEmpty ? "" : ", ")\(members)}]"
    }

    private static func identities(_ entries: String...) -> String {
        project("") + ", \"identities\": [\(entries.joined(separator: ", "))]"
    }

    private static func entry(
        mpinID: String = "7b7d", project: String = "shop", more: String = #""state": "active","#
    ) -> String {
        let state = more.contains("\"state\"") ? "" : "\"state\": \"active\","
        return """
            {"mpin_id": "\(mpinID)", "project_id": "\(project)", "user_id": "ada", "device_name": "", "purpose": "auth",
                \(more) \(state) "reg_ott": "r", "registration_expires_at": "\(time)", "wrong_count": 0,
                "needs_renewal": false, "dtas": "", "created_at": "\(time)"}
            """
    }
}
