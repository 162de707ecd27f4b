import HTTP
import PlatformKit
import TestKit
import Testing

/// What a proxy in front of us tells: RFC 7239, and the fields with `X-` that were there before it.
@Suite struct ForwardedTests {
    @Test(arguments: [
        // RFC 7239 §4, its examples with a host.
        ("host=app.localhost:8443;proto=https", "https://app.localhost:8443/acme"),
        ("for=192.0.2.43, for=\"[2001:db8:cafe::17]\"", "http://localhost:8420/acme"),
        ("For=\"[2001:db8:cafe::17]:4711\";Proto=https;by=203.0.113.43", "https://localhost:8420/acme"),
        ("for=192.0.2.60 ; host=\"[::1]:9\" ; proto=HTTPS", "https://[::1]:9/acme"),
        ("host=first.localhost;proto=https, host=second.localhost", "https://first.localhost/acme"),
        ("host=\"a\\.localhost\"", "http://a.localhost/acme"),
    ])
    func `the field Forwarded says how the client reached the proxy`(_ field: String, _ base: String) throws {
        let bench = try TestBench(Acme.self)
        #expect(bench.get("/acme/where", headers: ["Forwarded": field]).text == base)
    }

    @Test(arguments: ["host", "host=", "host=\"a", "host=a b", "=x", "host=a;host=b", "proto=\"https\"x"])
    func `a field Forwarded that is none is refused`(_ field: String) throws {
        let bench = try TestBench(Acme.self)
        let response = bench.get("/acme/where", headers: ["Forwarded": field])
        #expect(response.status == .badRequest)
        #expect(response.fields["detail"]?.contains("Forwarded") == true)
    }

    @Test(arguments: [
        ("localhost", "8443", "https", "https://localhost:8443/acme"),
        ("localhost", "443", "https", "https://localhost/acme"),
        ("localhost", "80", "http", "http://localhost/acme"),
        // The host's own port is the nearer word: proxies behind a published port know their inner one alone.
        ("localhost:9443", "443", "https", "https://localhost:9443/acme"),
        ("[::1]", "8443", "https", "https://[::1]:8443/acme"),
    ])
    func `X-Forwarded-Port counts where the host has no port`(
        _ host: String, _ port: String, _ scheme: String, _ base: String
    ) throws {
        let bench = try TestBench(Acme.self)
        let told: Headers = [
            "X-Forwarded-Host": host, "X-Forwarded-Port": port, "X-Forwarded-Proto": scheme,
        ]
        #expect(bench.get("/acme/where", headers: told).text == base)
        let kept: Headers = ["Host": host, "X-Forwarded-Port": port, "X-Forwarded-Proto": scheme]
        #expect(bench.get("/acme/where", headers: kept).text == base)
    }

    @Test(arguments: [
        ("/idp", "/idp"), ("/idp/", "/idp"), ("/a/b", "/a/b"), ("/", ""), ("/outer, /inner", "/outer/inner"),
    ])
    func `a prefix that a proxy takes away stands in every address`(_ prefix: String, _ path: String) throws {
        let bench = try TestBench(Acme.self)
        let told: Headers = ["X-Forwarded-Prefix": prefix]
        #expect(bench.get("/acme/where", headers: told).text == "http://localhost:8420\(path)/acme")
        #expect(bench.get("/acme/world", headers: told).text == "http://localhost:8420\(path)")
        #expect(bench.get("/acme/page", headers: told).text == "http://localhost:8420\(path)/acme")
        #expect(
            bench.get("/w/default/acme/page", headers: told).text
                == "http://localhost:8420\(path)/w/default/acme")
    }

    @Test(arguments: [
        ["X-Forwarded-Prefix": "idp"], ["X-Forwarded-Prefix": "//evil.example"],
        ["X-Forwarded-Prefix": "/a;Domain=x"], ["X-Forwarded-Prefix": "/a/../b"],
        ["X-Forwarded-Prefix": "/a b"], ["X-Forwarded-Port": "0x50"], ["X-Forwarded-Port": "0"],
        ["X-Forwarded-Port": "65536"],
    ])
    func `what cannot stand in an address is refused`(_ told: [String: String]) throws {
        let bench = try TestBench(Acme.self)
        var headers: Headers = [:]
        for (name, value) in told { headers[name] = value }
        let response = bench.get("/acme/where", headers: headers)
        #expect(response.status == .badRequest)
        #expect(response.fields["detail"]?.contains(told.keys.first ?? "") == true)
    }

    @Test func `none of it counts from a proxy that nobody trusts`() throws {
        let bench = try TestBench(Acme.self) { $0.trustedProxies = ["192.0.2.1"] }
        let told: Headers = [
            "Forwarded": "host=a.localhost;proto=https", "X-Forwarded-Prefix": "/idp",
            "X-Forwarded-Port": "8443",
        ]
        for (peer, base) in [
            ("192.0.2.1", "https://a.localhost:8443/idp/acme"), ("192.0.2.2", "http://localhost:8420/acme"),
        ] {
            var request = Request(.get, "/acme/where", headers: told)
            request.peer = Request.Peer(address: peer, isLoopback: false, isSecure: false)
            #expect(bench.send(request).text == base)
        }
    }

    @Test func `clients that come by turns each keep their own addresses`() throws {
        let bench = try TestBench(Acme.self) {
            $0.publicURL = "https://id.example/idp"
            $0.hosts = HostRule(allowedNames: ["id.example"])
        }
        let near = Request.Peer(address: "127.0.0.1", isLoopback: true, isSecure: true)
        let far = Request.Peer(address: "192.0.2.2", isLoopback: false, isSecure: true)
        let plain = Request.Peer(address: "192.0.2.2", isLoopback: false, isSecure: false)
        for _ in 1...2 {
            for (host, peer, base) in [
                ("id.example", near, "https://id.example/idp/acme"),
                ("id.example", far, "https://id.example/acme"),
                ("id.example", plain, "http://id.example/acme"),
                ("localhost:1", plain, "http://localhost:1/acme"),
            ] {
                #expect(
                    bench.send(Request(.get, "/acme/page", headers: ["Host": host], peer: peer)).text == base)
            }
        }
    }

    @Test func `more names than are remembered are all answered`() throws {
        let bench = try TestBench(Acme.self)
        for number in [1...200, 1...200].joined() {
            let host = "n\(number).localhost"
            #expect(bench.get("/acme/where", headers: ["Host": host]).text == "http://\(host)/acme")
        }
    }

    @Test(arguments: ["host.docker.internal:8420", "gateway.docker.internal", "host.containers.internal:1"])
    func `the names by which containers reach this machine are ours`(_ host: String) throws {
        let bench = try TestBench(Acme.self)
        #expect(bench.get("/acme/where", headers: ["Host": host]).text == "http://\(host)/acme")
    }
}

/// `--public-url`: what browsers are sent to is fixed; what back ends call stays with the host that they asked.
@Suite struct PublicURLTests {
    @Test(arguments: [
        ("/acme/where", "understudy:8420", "https://id.example/acme"),
        ("/where", "acme.localhost:8420", "https://id.example/acme"),
        ("/w/default/acme/where", "localhost:8420", "https://id.example/acme"),
        ("/acme/world", "localhost:8420", "https://id.example"),
        ("/acme/called", "understudy:8420", "http://understudy:8420/acme"),
        ("/called", "acme.localhost:8420", "http://acme.localhost:8420"),
        ("/acme/page", "10.0.2.2:8420", "http://10.0.2.2:8420/acme"),
    ])
    func `one address is handed out, and each client keeps its own`(
        _ path: String, _ host: String, _ url: String
    )
        throws
    {
        let bench = try TestBench(Acme.self) { $0.publicURL = "https://id.example" }
        #expect(bench.get(path, headers: ["Host": host]).text == url)
    }

    @Test func `the back channel can be fixed as well`() throws {
        let bench = try TestBench(Acme.self) {
            $0.publicURL = "https://id.example"
            $0.fixesBackChannel = true
        }
        #expect(
            bench.get("/acme/called", headers: ["Host": "understudy:8420"]).text == "https://id.example/acme")
    }

    @Test func `it may have a path, which a proxy takes away and need not tell`() throws {
        let bench = try TestBench(Acme.self) {
            $0.publicURL = "https://id.example/idp"
            $0.hosts = HostRule(allowedNames: ["id.example"])
        }
        let told: Headers = ["Host": "id.example", "X-Forwarded-Proto": "https"]
        #expect(bench.get("/acme/where", headers: told).text == "https://id.example/idp/acme")
        #expect(bench.get("/acme/page", headers: told).text == "https://id.example/idp/acme")
        #expect(bench.get("/acme/page").text == "http://localhost:8420/acme")
        #expect(bench.get("/acme/called").text == "http://localhost:8420/acme")
    }

    @Test func `a form of a page at any of our addresses is our own`() throws {
        let bench = try TestBench(Acme.self) { $0.publicURL = "https://id.example" }
        for origin in ["https://id.example", "http://localhost:8420"] {
            #expect(bench.send(.post, "/acme/notes", headers: ["Origin": origin]).status != .forbidden)
        }
        let proxied: Headers = [
            "Origin": "https://front.localhost", "X-Forwarded-Host": "front.localhost",
            "X-Forwarded-Proto": "https",
        ]
        #expect(bench.send(.post, "/acme/notes", headers: proxied).status != .forbidden)
        let foreign: Headers = ["Origin": "https://evil.example"]
        #expect(bench.send(.post, "/acme/notes", headers: foreign).status == .forbidden)
    }
}
