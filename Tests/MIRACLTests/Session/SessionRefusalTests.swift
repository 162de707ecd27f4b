import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import MIRACL

@Suite struct SessionRefusalTests {
    private static let parameters = "Invalid request parameters"

    @Test(arguments: [
        (#"{"status": "wid"}"#, "wid"), (#"{"wid": "a"}"#, "status"),
        (#"{"status": "gone", "wid": "a"}"#, "status"), (#"{"status": "user", "wid": "a"}"#, "userId"),
        (#"{"status": "user", "wid": "a", "userId": ""}"#, "userId"),
        (#"{"status": "signed", "wid": "a"}"#, "signature"),
        (#"{"status": "signed", "wid": "a", "signature": "?"}"#, "signature"),
        (#"{"status": "signed", "wid": "a", "signature": "W10="}"#, "signature"),
    ])
    func `news that cannot be understood is refused by the name of the member`(
        _ body: String, _ member: String
    ) throws {
        let bench = try TestProject.bench()

        let refused = bench.post("/miracl/rps/v2/codeStatus", raw: body)

        #expect(refused.status == .badRequest)
        #expect(
            refused.json
                == refusal("INVALID_REQUEST_PARAMETERS", Self.parameters, ["params": member]))
        #expect(bench.misshapenExplanations.isEmpty)
    }

    @Test func `access wants a webOTT that was handed out`() throws {
        let bench = try TestProject.bench()

        let bare = bench.post("/miracl/rps/v2/access", raw: "{}")
        #expect(bare.status == .badRequest)
        #expect(
            bare.json
                == refusal("INVALID_REQUEST_PARAMETERS", Self.parameters, ["params": "webOTT"]))
        let wrong = try bench.post("/miracl/rps/v2/access", ["webOTT": "deadbeef"])
        #expect(wrong.status == .notFound)
        #expect(wrong.json == refusal("INVALID_AUTH_SESSION", "Invalid or expired session"))
        #expect(bench.misshapenExplanations.isEmpty)
    }

    @Test(arguments: [
        ("client_id=nobody&redirect_uri=https://shop.example/login&response_type=code&scope=openid"),
        ("client_id=shop&redirect_uri=https://evil.example/login&response_type=code&scope=openid"),
        ("client_id=shop&redirect_uri=https://shop.example/login/&response_type=code&scope=openid"),
        ("client_id=shop&redirect_uri=https://shop.example/login&response_type=token&scope=openid"),
        ("client_id=shop&redirect_uri=https://shop.example/login&response_type=code&scope=bank"),
        (""),
    ])
    func `a POST to authorize is refused with JSON and sends nobody anywhere`(_ query: String) throws {
        let bench = try TestProject.bench()

        for path in ["/miracl/authorize?", "/miracl/pushauth?"] {
            let refused = bench.post(path + query, raw: #"{"prerollId": "ada@example.org"}"#)
            #expect(refused.status == .badRequest)
            #expect(refused.headers["Content-Type"] == "application/json")
            #expect(refused.headers["Location"] == nil)
            let error = try #require(refused.members["error"]?.string)
            #expect(
                [
                    "invalid_request", "unauthorized_client", "invalid_scope", "invalid_client",
                    "unsupported_response_type",
                ].contains(error))
            #expect(refused.members["info"] == refused.members["message"])
            #expect(refused.members["context"] == [:])
        }
        #expect(bench.explanation?.isEmpty == false)
        #expect(bench.misshapenExplanations.isEmpty)
    }

    @Test func `a body that is neither JSON nor a form is refused`() throws {
        let bench = try TestProject.bench()

        let refused = bench.post("/miracl/authorize?" + Browser.authorization, raw: "{\"prerollid\": ")

        #expect(refused.status == .badRequest)
        #expect(refused.json == refusal("INVALID_REQUEST_PARAMETERS", "The request is malformed"))
    }

    @Test func `a session wants a project that there is`() throws {
        let bench = try TestProject.bench()

        let refused = bench.post("/miracl/rps/v2/session", raw: #"{"projectId": "red"}"#)

        #expect(refused.status == .forbidden)
        #expect(refused.json == refusal("FORBIDDEN", "Unknown project"))
    }
}
