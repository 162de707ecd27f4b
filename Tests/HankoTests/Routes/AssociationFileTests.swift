import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

@Suite struct AssociationFileTests {
    static let fingerprint =
        "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"
    static let section = """
        {"hanko": {"association": {
            "android": [{"package_name": "com.example.app", "sha256_cert_fingerprints": ["\(fingerprint)"]}],
            "apple": ["ABCDE12345.com.example.app"],
            "related_origins": ["https://example.de"]
        }}}
        """

    /// Google Digital Asset Links; Apple, “Supporting associated domains”; Web Authentication Level 3 §5.11.
    static let files = [
        (
            "assetlinks.json",
            "[{\"relation\":[\"delegate_permission/common.handle_all_urls\","
                + "\"delegate_permission/common.get_login_creds\"],\"target\":{\"namespace\":\"android_app\","
                + "\"package_name\":\"com.example.app\",\"sha256_cert_fingerprints\":[\"\(fingerprint)\"]}}]\n"
        ),
        (
            "apple-app-site-association",
            "{\"webcredentials\":{\"apps\":[\"ABCDE12345.com.example.app\"]}}\n"
        ),
        ("webauthn", "{\"origins\":[\"https://example.de\"]}\n"),
    ]

    @Test(arguments: files)
    func `a file stands at the root of the server, of a world and of the platform's host`(
        _ name: String, _ content: String
    ) throws {
        let bench = try TestBench(Hanko.self, fixtures: Self.section)
        var order = WorldOrder()
        order.name = "blue"
        _ = try bench.worlds.create(order)

        let paths: [(String, Headers)] = [
            ("/.well-known/", [:]), ("/w/blue/.well-known/", [:]), ("/hanko/.well-known/", [:]),
            ("/.well-known/", ["Host": "hanko.localhost:8420"]),
            ("/.well-known/", ["Host": "blue--hanko.localhost:8420"]),
        ]
        for (path, headers) in paths {
            let file = bench.get(path + name, headers: headers)
            #expect(file.status == .ok)
            #expect(file.headers["Content-Type"] == "application/json")
            #expect(String(decoding: file.bytes, as: UTF8.self) == content)
        }
    }

    @Test(arguments: [
        ("assetlinks.json", "android"), ("apple-app-site-association", "apple"),
        ("webauthn", "related_origins"),
    ])
    func `a file that the fixtures do not bring is not there, and the journal says what is missing`(
        _ name: String, _ member: String
    ) throws {
        let bench = try TestBench(Hanko.self)

        let file = bench.get("/.well-known/" + name)
        #expect(file.status == .notFound)
        #expect(file.fields == ["code": "404", "message": "Not Found"])
        #expect(bench.explanation?.contains("\"association\": {\"\(member)\": ") == true)
        #expect(bench.misshapenExplanations.isEmpty)
    }

    @Test func `an empty list is a file that allows nobody`() throws {
        let bench = try TestBench(Hanko.self, fixtures: #"{"hanko": {"association": {"android": []}}}"#)
        #expect(String(decoding: bench.get("/.well-known/assetlinks.json").bytes, as: UTF8.self) == "[]\n")
    }

    @Test func `a fingerprint without colons is served as Android wants it, with relations of one's own`()
        throws
    {
        let plain = Self.fingerprint.replacing(":", with: "").lowercased()
        let bench = try TestBench(
            Hanko.self,
            fixtures: """
                {"hanko": {"association": {"android": [
                    {"package_name": "com.example.app", "sha256_cert_fingerprints": ["\(plain)"], "relations": ["x"]}
                ]}}}
                """)
        let file = bench.get("/.well-known/assetlinks.json").text
        #expect(file.hasPrefix("[{\"relation\":[\"x\"],"))
        #expect(file.contains("\"sha256_cert_fingerprints\":[\"\(Self.fingerprint)\"]"))
    }

    /// Apple, “Supporting associated domains”; Android developers, “Dynamic App Links”; Google Digital Asset Links, `web` targets.
    @Test func `apps say which links they open, and web sites share credentials`() throws {
        let bench = try TestBench(
            Hanko.self,
            fixtures: """
                {"hanko": {"association": {
                    "android": [{"package_name": "com.example.app", "sha256_cert_fingerprints": ["\(Self.fingerprint)"],
                                 "paths": ["/cb/*", "NOT /cb/web"]}],
                    "apple": ["ABCDE12345.com.example.old", {"app_id": "ABCDE12345.com.example.app", "paths": ["NOT /cb/web", "/cb/*"]}],
                    "web": ["https://www.example.com"]
                }}}
                """)
        let links = try JSON(parsing: bench.get("/.well-known/assetlinks.json").bytes)
        let components: JSON = [["/": "/cb/*"], ["/": "/cb/web", "exclude": true]]
        #expect(
            links.array?.first?["relation_extensions"] == [
                "delegate_permission/common.handle_all_urls": ["dynamic_app_link_components": components]
            ])
        #expect(
            links.array?.last == [
                "relation": ["delegate_permission/common.get_login_creds"],
                "target": ["namespace": "web", "site": "https://www.example.com"],
            ])

        let apple = try JSON(parsing: bench.get("/.well-known/apple-app-site-association").bytes)
        #expect(
            apple["webcredentials"] == ["apps": ["ABCDE12345.com.example.old", "ABCDE12345.com.example.app"]])
        let details: JSON = [
            "appIDs": ["ABCDE12345.com.example.app"],
            "components": [["/": "/cb/web", "exclude": true], ["/": "/cb/*"]],
            "appID": "ABCDE12345.com.example.app", "paths": ["NOT /cb/web", "/cb/*"],
        ]
        #expect(apple["applinks"] == ["apps": [], "details": [details]])
    }

    @Test func `an export brings the files along`() throws {
        let bench = try TestBench(Hanko.self, fixtures: Self.section)
        let exported = try bench.worlds.export(bench.world)

        let other = try TestBench(Hanko.self, fixtures: String(decoding: exported, as: UTF8.self))
        #expect(try other.worlds.export(other.world) == exported)
        #expect(other.get("/.well-known/webauthn").text == "{\"origins\":[\"https://example.de\"]}\n")
    }

    @Test(arguments: [
        (#""android": [{"package_name": "app", "sha256_cert_fingerprints": []}]"#, "android[0].package_name"),
        (
            #""android": [{"package_name": "a.b", "sha256_cert_fingerprints": ["AB:CD"]}]"#,
            "android[0].sha256_cert_fingerprints[0]"
        ),
        (#""apple": ["com.example.app"]"#, "apple[0]"),
        (#""apple": [{"app_id": "com.example.app"}]"#, "apple[0].app_id"),
        (#""apple": [{"app_id": "ABCDE12345.a.b", "paths": ["cb"]}]"#, "apple[0].paths[0]"),
        (#""web": ["example.com"]"#, "web[0]"),
        (#""related_origins": ["https://example.de/"]"#, "related_origins[0]"),
        (#""related_origins": ["http://example.de"]"#, "related_origins[0]"),
    ])
    func `what no client would make sense of is refused with its place`(_ member: String, _ field: String)
        throws
    {
        let error = #expect(throws: FixtureError.self) {
            try TestBench(Hanko.self, fixtures: "{\"hanko\": {\"association\": {\(member)}}}")
        }
        #expect(error?.field == "hanko.association." + field)
    }
}
