import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import OpenID

/// `requireClient`, asked directly: what the endpoints make of it is their own tests' matter.
@Suite struct ClientAuthenticationTests {
    private static let clients = """
        "clients": [
            {"client_id": "portal", "client_secret": "portal-secret", "grant_types": ["client_credentials"]},
            {"client_id": "poster", "client_secret": "poster-secret",
                "token_endpoint_auth_method": "client_secret_post"},
            {"client_id": "https://a.example/app", "client_secret": "p%2Bq+r:s ü"},
            {"client_id": "spa", "token_endpoint_auth_method": "none",
                "redirect_uris": ["http://localhost:3000/cb"]}
        ]
        """

    private let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.mounted(Self.clients) }

    private func request(_ form: String, _ authorization: String? = nil) -> Request {
        var headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
        headers["Authorization"] = authorization
        return Request(.post, "/oauth/token", headers: headers, body: Array(form.utf8))
    }

    private func basic(_ pair: String) -> String { "Basic " + Data(pair.utf8).base64EncodedString() }

    private func refusal(_ form: String, _ authorization: String? = nil) throws -> OAuthWire {
        let error = #expect(throws: ClientRefusal.self) {
            try bench.server.requireClient(request(form, authorization))
        }
        return try #require(error).wire
    }

    private func explanation(_ form: String, _ authorization: String? = nil) throws -> String {
        let error = #expect(throws: ClientRefusal.self) {
            try bench.server.requireClient(request(form, authorization))
        }
        return try #require(error).explanation
    }

    @Test func `the secret is taken in the header and in the form, each for the client registered so`() throws
    {
        let portal = try bench.server.requireClient(request("", basic("portal:portal-secret")))
        #expect(portal.id == "portal")
        let poster = try bench.server.requireClient(
            request("client_id=poster&client_secret=poster-secret"))
        #expect(poster.id == "poster")
        let spa = try bench.server.requireClient(request("client_id=spa"))
        #expect(spa.id == "spa")
    }

    // RFC 6749 §2.3.1, Appendix B.
    @Test func `id and secret may be form-encoded before base64, or not`() throws {
        for pair in [
            "https%3A%2F%2Fa.example%2Fapp:p%252Bq%2Br%3As+%C3%BC",
            "https%3A%2F%2Fa.example%2Fapp:p%252Bq%2Br%3As%20%C3%BC",
        ] {
            #expect(try bench.server.requireClient(request("", basic(pair))).id == "https://a.example/app")
        }
        #expect(
            try bench.server.requireClient(request("client_id=portal", basic("portal:portal-secret"))).id
                == "portal")
    }

    @Test func `the scheme's letters may be upper or lower case`() throws {
        let header = basic("portal:portal-secret").replacing("Basic", with: "bAsIc")
        #expect(try bench.server.requireClient(request("", header)).id == "portal")
    }

    // RFC 6749 §2.3: one way in a request.
    @Test func `two ways in one request are an invalid request`() throws {
        let basic = basic("portal:portal-secret")
        for form in [
            "client_secret=portal-secret", "client_assertion=a.b.c",
            "client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer",
        ] {
            let wire = try refusal(form, basic)
            #expect(wire.status == .badRequest)
            #expect(wire.error == "invalid_request")
        }
        let wire = try refusal("client_id=poster&client_secret=poster-secret&client_assertion=a.b.c")
        #expect(wire.error == "invalid_request")
    }

    @Test func `two different names, and a parameter that comes twice, are an invalid request`() throws {
        #expect(try refusal("client_id=spa", basic("portal:portal-secret")).error == "invalid_request")
        #expect(try refusal("client_id=spa&client_id=spa").error == "invalid_request")
        #expect(
            try refusal("client_id=poster&client_secret=poster-secret&client_secret=x").error
                == "invalid_request")
    }

    // RFC 6749 §5.2: a challenge for those who used the header.
    @Test func `a wrong secret is 401, with a challenge when it came in the header`() throws {
        let inHeader = try refusal("", basic("portal:wrong"))
        #expect(inHeader.status == .unauthorized)
        #expect(inHeader.error == "invalid_client")
        #expect(inHeader.headers.map(\.name) == ["WWW-Authenticate"])
        #expect(inHeader.headers.map(\.value) == ["Basic realm=\"OAuth\""])

        let inForm = try refusal("client_id=poster&client_secret=wrong")
        #expect(inForm.status == .unauthorized)
        #expect(inForm.error == "invalid_client")
        #expect(inForm.headers.isEmpty)
    }

    @Test(arguments: [
        ("client_id=portal&client_secret=portal-secret", nil), ("client_id=portal", nil),
        ("client_id=spa&client_secret=x", nil), ("", "poster:poster-secret"), ("", "spa:"),
    ])
    func `another way than the registered one is refused`(_ form: String, _ pair: String?) throws {
        let wire = try refusal(form, pair.map(basic))
        #expect(wire.status == .unauthorized)
        #expect(wire.error == "invalid_client")
    }

    @Test func `no client at all, an unknown scheme and unreadable credentials are an invalid client`() throws
    {
        #expect(try refusal("").error == "invalid_client")
        #expect(try refusal("client_secret=x").error == "invalid_client")
        #expect(try refusal("client_id=nobody").error == "invalid_client")
        for header in [
            "Bearer abc", "Basic", "Basic !", "Basic bm9jb2xvbg==", "Basic gIA6gIA=", "", "Digest x=1",
        ] {
            #expect(try refusal("", header).status == .unauthorized, "\(header)")
        }
    }

    // RFC 6749 §3.2: without a value is as if omitted.
    @Test func `an empty secret in the form counts as none`() throws {
        #expect(try bench.server.requireClient(request("client_id=spa&client_secret=")).id == "spa")
    }

    @Test func `a form that is not labelled as one proves nothing`() throws {
        let bare = Request(.post, "/oauth/token", body: Array("client_id=spa".utf8))
        #expect(throws: ClientRefusal.self) { try bench.server.requireClient(bare) }
        let json = Request(
            .post, "/oauth/token", headers: ["Content-Type": "application/json"],
            body: Array("client_id=spa".utf8))
        #expect(throws: ClientRefusal.self) { try bench.server.requireClient(json) }
    }

    @Test func `the journal says what is wrong about the credentials`() throws {
        #expect(try explanation("client_id=portl").contains("did you mean “portal”?"))
        #expect(
            try explanation("", basic("portal:poster-secret")).contains("the secret of the client “poster”"))
        #expect(try explanation("", basic("portal:portal-secret\n")).contains("white space"))
        #expect(try explanation("", basic("portal:Portal-Secret")).contains("upper and lower case"))
        #expect(
            try explanation("", basic("portal:portal-secre")).contains("has 12 bytes, the right one has 13"))
        #expect(
            try explanation("", basic("portal:portal_secret")).contains(
                "The secret of the client “portal” is wrong: one character is mistyped, the one at place 7."))
        #expect(
            try explanation("client_id=portal&client_secret=portal-secret").contains(
                "client_secret_post: send id and secret as Authorization: Basic"))
        #expect(
            try explanation("client_id=portal").contains(
                "registered with token_endpoint_auth_method client_secret_basic"))
        #expect(try explanation("client_id=spa&client_secret=x").contains("is public"))
        #expect(try explanation("", "Digest x").contains("not with Authorization: Digest"))
    }

    @Test func `every failure is noted for the audit, with the client where it is known`() throws {
        let recorder = Recorder()
        MountedServer.$policy.withValue(recorder) {
            _ = #expect(throws: ClientRefusal.self) {
                try bench.server.requireClient(request("", basic("portal:wrong")))
            }
        }
        #expect(recorder.events.map(\.kind) == [.clientInvalid])
        #expect(recorder.events.map(\.clientID) == ["portal"])
    }
}
