import HTTP
import TestKit
import Testing

@testable import OpenID

/// Source: RFC 8252 §7.3; RFC 9700 §2.1; the OpenID Foundation's conformance suite, whose module names the tests have.
struct RedirectURITests {
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    @Test(arguments: [
        "http://127.0.0.1/native", "http://127.0.0.1:1/native", "http://127.0.0.1:51004/native",
        "http://127.0.0.1:65535/native", "http://[::1]/native", "http://[::1]:51004/native",
        "com.example.app:/cb",
    ])
    func `an app may listen at any port of a loopback address`(uri: String) throws {
        let visit = Browser(try Cast.bench()).authorize([
            "client_id": "app", "redirect_uri": uri, "code_challenge": Self.challenge,
        ])
        #expect(visit.url.hasPrefix(uri + "?code="))
    }

    @Test(arguments: [
        "http://127.0.0.1:0/native", "http://127.0.0.1:65536/native", "http://127.0.0.1:/native",
        "http://127.0.0.1:99999999999999999999/native", "http://127.0.0.1:80@evil.example/native",
        "http://127.0.0.1:51004/other", "http://127.0.0.1.evil.example/native", "http://localhost/native",
        "https://127.0.0.1/native", "http://127.0.0.2/native", "http://[::1]:x/native",
        "http://127.0.0.1:80native",
        "com.example.app:/cb/", "com.example.app:/cb#x", "COM.example.app:/cb",
    ])
    func `everything else is compared character by character`(uri: String) throws {
        let bench = try Cast.bench()
        let visit = Browser(bench).open(
            Cast.request(["client_id": "app", "redirect_uri": uri, "code_challenge": Self.challenge]))
        #expect(visit.status == 400)
        #expect(bench.explanation?.contains("“\(uri)”") == true)
    }

    // Unicode calls U+212A a K and U+037E a semicolon; RFC 3986 §6.2.1 compares the bytes.
    @Test func `characters that Unicode takes for equal are different`() {
        #expect(RedirectURI.isRegistered("https://a.test/K;", among: ["https://a.test/K;"]))
        #expect(!RedirectURI.isRegistered("https://a.test/\u{212A};", among: ["https://a.test/K;"]))
        #expect(!RedirectURI.isRegistered("https://a.test/K\u{37E}", among: ["https://a.test/K;"]))
        #expect(!RedirectURI.isRegistered("http://127.0.0.1:1/\u{212A}", among: ["http://127.0.0.1/K"]))
    }

    @Test(arguments: [
        ("http://localhost:8420", "http://hanko.localhost:8420/thirdparty/callback"),
        ("https://localhost:9443", "https://hanko.localhost:9443/thirdparty/callback"),
        ("http://localhost", "http://hanko.localhost/thirdparty/callback"),
        ("http://localhost:9000/w/blue", "http://blue--hanko.localhost:9000/thirdparty/callback"),
    ])
    func `a path of this server is its page at the host name of the platform too`(
        world: String, page: String
    ) {
        var metadata = ClientMetadata()
        metadata.redirectURIs = ["/hanko/thirdparty/callback"]
        let client = Client(
            id: "hanko", secret: nil, kind: "web", metadata: metadata, createdAt: ManualTime.start)
        var request = Request(.get, "/oauth/authorize")
        request.context.worldURL = world
        request.context.namesPlatforms = true

        #expect(client.redirectURIs(at: request) == [world + "/hanko/thirdparty/callback"])
        #expect(client.ownPages(at: request) == [world + "/hanko/thirdparty/callback", page])
        request.context.worldURL = "http://10.0.2.2:8420"
        request.context.namesPlatforms = false
        #expect(client.ownPages(at: request) == ["http://10.0.2.2:8420/hanko/thirdparty/callback"])
    }

    @Test(
        arguments: [
            ("http://localhost:8420", "http://localhost:8423/thirdparty/callback", nil),
            ("https://[::1]:8420", "https://[::1]:8423/thirdparty/callback", nil),
            (
                "http://localhost:8420/w/blue", "http://localhost:8430/thirdparty/callback",
                "http://localhost:8440/hanko/thirdparty/callback"
            ),
        ] as [(String, String, String?)])
    func `a path of this server is its page at ports of platform and world too`(
        world: String, own: String, whole: String?
    ) {
        var metadata = ClientMetadata()
        metadata.redirectURIs = ["/hanko/thirdparty/callback"]
        let client = Client(
            id: "hanko", secret: nil, kind: "web", metadata: metadata, createdAt: ManualTime.start)
        var request = Request(.get, "/oauth/authorize")
        request.context.worldURL = world
        request.context.doors = ["hanko": 8423, "blue/hanko": 8430, "blue": 8440, "app": 8421]

        let pages = [world + "/hanko/thirdparty/callback", own] + (whole.map { [$0] } ?? [])
        #expect(client.ownPages(at: request) == pages)
    }

    @Test func `the explanation names the usual slips`() throws {
        let bench = try Cast.bench()
        _ = Browser(bench).open(Cast.request(["redirect_uri": Cast.callback + "/"]))
        #expect(bench.explanation?.contains("slash too many") == true)
        _ = Browser(bench).open(Cast.request(["redirect_uri": "https://client.example/CB"]))
        #expect(bench.explanation?.contains("Upper and lower case") == true)
    }

    @Test func `oidcc-ensure-registered-redirect-uri`() throws {
        let visit = Browser(try Cast.bench()).open(
            Cast.request(["redirect_uri": "https://client.example/other"]))
        #expect(visit.status == 400 && visit.heading == "The redirect_uri is not registered")
    }

    @Test func `oidcc-ensure-redirect-uri-in-authorization-request`() throws {
        let visit = Browser(try Cast.bench()).open(Cast.request(["redirect_uri": ""]))
        #expect(visit.status == 400 && visit.heading == "redirect_uri is missing")
    }

    @Test func `plain OAuth may leave the only redirect URI out`() throws {
        let bench = try Cast.bench()
        let visit = Browser(bench).authorize(["redirect_uri": "", "scope": "email"])
        #expect(visit.url.hasPrefix(Cast.callback + "?code="))
    }

    private func bench() throws -> TestBench<MountedServer> {
        try Cast.bench(
            """
            {"client_id": "query", "client_secret": "q", "scope": "openid",
             "redirect_uris": ["https://client.example/cb?dummy1=lorem&dummy2=ipsum"]}
            """)
    }

    @Test func `oidcc-redirect-uri-query-OK`() throws {
        let uri = "https://client.example/cb?dummy1=lorem&dummy2=ipsum"
        let visit = Browser(try bench()).authorize(["client_id": "query", "redirect_uri": uri])
        #expect(visit.url.hasPrefix(uri + "&code="))
        #expect(visit.answer["dummy1"] == "lorem" && visit.answer["state"] == "xyz")
    }

    @Test func `oidcc-redirect-uri-query-mismatch`() throws {
        let uri = "https://client.example/cb?dummy1=lorem&dummy2=dolor"
        #expect(
            Browser(try bench()).open(Cast.request(["client_id": "query", "redirect_uri": uri])).status == 400
        )
    }

    @Test func `oidcc-redirect-uri-query-added`() throws {
        let visit = Browser(try Cast.bench()).open(Cast.request(["redirect_uri": Cast.callback + "?foo=bar"]))
        #expect(visit.status == 400)
    }
}
