import Testing

@testable import PlatformKit

@Suite struct AddressTests {
    private static let mounts: Set = ["hanko", "hanko-admin"]

    /// Host, path, and what they mean: world, path in the route table, mount.
    @Test(
        arguments: [
            ("localhost", "/hanko/users", nil, "/hanko/users", "/hanko"),
            ("localhost", "/w/blue/hanko/users", "blue", "/hanko/users", "/w/blue/hanko"),
            ("localhost", "/w/blue", "blue", "/", "/w/blue"),
            ("localhost", "/w/blue/", "blue", "/", "/w/blue"),
            ("localhost", "/w", nil, "/w", ""),
            ("localhost", "/outbox", nil, "/outbox", ""),
            // RFC 8414 §3.1.
            (
                "localhost", "/.well-known/oauth-authorization-server/hanko", nil,
                "/hanko/.well-known/oauth-authorization-server", "/hanko"
            ),
            (
                "localhost", "/.well-known/openid-configuration/w/blue/hanko", "blue",
                "/hanko/.well-known/openid-configuration", "/w/blue/hanko"
            ),
            (
                "localhost", "/.well-known/openid-configuration/hanko/deep", nil,
                "/hanko/deep/.well-known/openid-configuration", "/hanko"
            ),
            (
                "localhost", "/.well-known/openid-configuration/nobody", nil,
                "/.well-known/openid-configuration/nobody", ""
            ),
            (
                "localhost", "/.well-known/openid-configuration/w/hanko", nil,
                "/.well-known/openid-configuration/w/hanko", ""
            ),
            (
                "localhost", "/.well-known/openid-configuration/w", nil,
                "/.well-known/openid-configuration/w", ""
            ),
            (
                "localhost", "/.well-known/openid-configuration/", nil, "/.well-known/openid-configuration/",
                ""
            ),
            ("localhost", "/.well-known/openid-configuration", nil, "/.well-known/openid-configuration", ""),
            ("localhost", "/.well-known/assetlinks.json", nil, "/.well-known/assetlinks.json", ""),
            ("hanko.localhost", "/users", nil, "/hanko/users", ""),
            ("hanko.localhost", "/", nil, "/hanko/", ""),
            ("hanko-admin.localhost", "/users", nil, "/hanko-admin/users", ""),
            ("blue--hanko.localhost", "/users", "blue", "/hanko/users", ""),
            ("blue--hanko.localhost", "/_understudy/v1/codes", "blue", "/_understudy/v1/codes", ""),
            ("nobody.localhost", "/hanko/users", nil, "/hanko/users", "/hanko"),
            ("a--b--hanko.localhost", "/users", "a--b", "/hanko/users", ""),
        ] as [(String, String, String?, String, String)])
    func `host and path name world, platform and mount`(
        _ host: String, _ path: String, _ world: String?, _ routed: String, _ mount: String
    ) {
        let address = Address(host: host, path: path, mounts: Self.mounts)
        #expect(address.world == world)
        #expect(address.path == routed)
        #expect(address.mount == mount)
    }

    /// Door, path, and what they mean: world, path in the route table, mount.
    @Test(
        arguments: [
            ("hanko", "/users", nil, "/hanko/users", ""),
            ("hanko", "/", nil, "/hanko/", ""),
            ("hanko", "/hanko/users", nil, "/hanko/hanko/users", ""),
            ("hanko", "/_understudy/v1/codes", nil, "/_understudy/v1/codes", ""),
            ("blue/hanko", "/users", "blue", "/hanko/users", ""),
            ("default/hanko", "/users", nil, "/hanko/users", ""),
            ("blue", "/hanko/users", "blue", "/hanko/users", "/hanko"),
            ("blue", "/outbox", "blue", "/outbox", ""),
            ("blue", "/w/red/hanko/users", "blue", "/w/red/hanko/users", ""),
            (
                "blue", "/.well-known/openid-configuration/hanko", "blue",
                "/hanko/.well-known/openid-configuration", "/hanko"
            ),
        ] as [(String, String, String?, String, String)])
    func `a port of its own stands for a platform or a world, whatever the host`(
        _ name: String, _ path: String, _ world: String?, _ routed: String, _ mount: String
    ) throws {
        let door = try #require(Doorway(name, mounts: Self.mounts))
        for host in ["localhost", "hanko-admin.localhost", "10.0.2.2"] {
            let address = Address(host: host, path: path, mounts: Self.mounts, door: door)
            #expect(address.world == world)
            #expect(address.path == routed)
            #expect(address.mount == mount)
        }
    }

    @Test(arguments: ["", "/", "blue/", "blue/none", "/hanko", "Blue", "blue/hanko/x", "a b"])
    func `what is neither platform nor world is no door`(_ name: String) {
        #expect(Doorway(name, mounts: Self.mounts) == nil)
    }

    @Test(
        arguments: [
            ("hanko.mac.example", "mac.example"), ("blue--hanko.mac.example", "mac.example"),
            ("hanko.host.docker.internal", "host.docker.internal"), ("hanko.localhost", "localhost"),
            ("hanko.mac", "mac"), ("nobody.mac.example", nil), ("x.hanko.mac.example", nil),
            ("mac.example", nil),
            ("hanko.com", nil), ("hanko.understudy", nil), ("hanko.127.0.0.1", nil),
            ("hanko.own.example", nil),
            ("hanko.evil.example", nil), ("hanko.", nil), (".mac.example", nil),
            ("--hanko.mac.example", "mac.example"),
        ] as [(String, String?)])
    func `a platform has a name below every host of ours, and below no stranger's`(
        _ host: String, _ base: String?
    ) {
        let rule = HostRule(allowedNames: ["mac.example", "mac", "hanko.own.example", "own.example"])
        #expect(rule.platform(of: host, Self.mounts)?.base == base)
        #expect(rule.platform(of: host, Self.mounts)?.mount == base.map { _ in "hanko" })
    }

    @Test(arguments: [
        ("localhost", true), ("hanko.localhost", true), ("127.0.0.1", true), ("10.0.2.2", true),
        ("[::1]", true), ("[::ffff:127.0.0.1]", true),
        ("understudy", true), ("evil.example", false), ("127.0.0.1.evil.example", false),
        ("1.2.3.256", false),
        ("ci.example", true),
        // RFC 1123 §2.1, and the underscore of Docker Compose.
        ("my-service_1", true), ("3com", true), (String(repeating: "a", count: 63), true),
        (String(repeating: "a", count: 64), false), ("-understudy", false), ("understudy-", false),
        ("*", false), ("*.localhost", false), ("%00", false), ("local,host", false), ("a b", false),
        ("", false), (".localhost", false), ("a..localhost", false), ("ünderstudy", false),
        ("local;host", false), ("l'ocal", false), ("$(host)", false), ("127.0.0.1.localhost", true),
        ("+1.2.3.4", false), ("0127.0.0.1", false), ("1.2.3.4.", false),
        // RFC 4291 §2.2.
        ("[fe80::1:2]", true), ("[1:2:3:4:5:6:7:8]", true), ("[::]", true), ("[1::8]", true),
        ("[64:ff9b::192.0.2.33]", true), ("[]", false), ("[:]", false), ("[1:2]", false),
        ("[1::2::3]", false), ("[12345::]", false), ("[::1%25eth0]", false), ("[::1", false),
        ("[1:2:3:4:5:6:7:8:9]", false), ("[::1.2.3]", false), ("[::1.2.3.4:5]", false), ("[::g]", false),
    ])
    func `only names that no stranger can own are answered`(_ host: String, _ isAllowed: Bool) {
        #expect(HostRule(allowedNames: ["ci.example"]).allows(host) == isAllowed)
    }

    @Test(arguments: [
        ("localhost", "/hanko//users", "/hanko/users"), ("localhost", "/w/blue/hanko///a//b/", "/hanko/a/b/"),
        ("hanko.localhost", "//users", "/hanko/users"), ("localhost", "/hanko/users", "/hanko/users"),
        ("localhost", "/hanko-admin//users", "/hanko-admin//users"), ("localhost", "//outbox", "//outbox"),
        ("localhost", "/hanko/%2F/a", "/hanko/%2F/a"),
    ])
    func `several slashes are one below those that merge them`(
        _ host: String, _ path: String, _ merged: String
    ) {
        let address = Address(host: host, path: path, mounts: Self.mounts)
        #expect(address.path(merging: ["/hanko"]) == merged)
    }
}
