import Crypto
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

/// Who may call, and how forgiving the reading is. Source: PowerAuth Cloud documentation; published clients.
struct CloudAccessTests {
    private let bench: OfficeBench

    init() throws { bench = try OfficeBench() }

    @Test(
        arguments: [
            ([:], "has no Authorization header"),
            (["Authorization": "Bearer x"], "the scheme is “Bearer”"),
            (["Authorization": "Basic %"], "is not Base64"),
            (["Authorization": "Basic b2ZmaWNl"], "has no colon between"),
            (OfficeBench.basic("nobody", "x"), "There is no system user “nobody”"),
            (OfficeBench.basic("office", "x"), "The password of “office” is another one"),
            (OfficeBench.basic("asleep", "asleep secret"), "The system user “asleep” is not enabled"),
        ] as [(Headers, String)])
    func `credentials that prove nothing are refused`(_ headers: Headers, _ reason: String) throws {
        for (method, path) in [
            (Request.Method.get, "/v2/registrations?userId=ada"), (.post, "/v2/registrations"),
            (.post, "/v2/authentication/verify"), (.post, "/v2/token/verify"), (.get, "/admin/users"),
            (.get, "/v2/admin/applications/bank/callbacks"), (.get, "/audit/log?userId=ada"),
            (.post, "/v2/inbox/messages"), (.post, "/v2/messages/send"),
        ] {
            let response = bench.cloud(method, path, "{}", as: headers)
            try bench.expect(
                response, "ERROR_UNAUTHORIZED", "Authentication is required.", status: 401, because: reason)
            #expect(response.headers["WWW-Authenticate"] == "Basic realm=\"PowerAuth Cloud\"")
        }
    }

    @Test func `each role has its own calls`() throws {
        let words = "The user may not make this call."
        for (method, path) in [
            (Request.Method.get, "/admin/users"), (.get, "/admin/applications"),
            (.get, "/admin/applications/bank"), (.post, "/admin/applications"), (.post, "/admin/users"),
            (.post, "/admin/users/office/applications/bank"), (.post, "/admin/applications/bank/push/fcm"),
        ] {
            try bench.expect(
                bench.cloud(method, path, "{}"), "ERROR_FORBIDDEN", words, status: 403,
                because: "has the roles ROLE_USER, and this call asks for ROLE_ADMIN")
        }
        try bench.expect(
            bench.cloud(.get, "/v2/registrations?userId=ada", as: OfficeBench.admin), "ERROR_FORBIDDEN",
            words,
            status: 403, because: "has the roles ROLE_ADMIN, and this call asks for ROLE_USER")
    }

    @Test func `header names come in any case, and no media type is asked for`() throws {
        let proof = try #require(OfficeBench.office["Authorization"])
        for headers in [
            ["aUTHORIZATION": proof],
            ["AUTHORIZATION": proof, "content-type": "application/json; charset=UTF-8"],
            ["authorization": proof.replacing("Basic", with: "basic")],
        ] as [Headers] {
            let response = bench.cloud(
                .post, "/v2/registrations", #"{"userId": "ada", "appId": "bank"}"#, as: headers)
            #expect(response.status == .ok)
        }
    }

    @Test(arguments: ["", " ", "{}", "{}}"])
    func `a removal has any body or none, with a media type or without`(_ body: String) throws {
        for type in [nil, "application/json"] {
            let (id, _) = try bench.register()
            var headers = OfficeBench.office
            headers["Content-Type"] = type
            bench.expectOK(bench.cloud(.delete, "/v2/registrations/\(id)", body, as: headers))
        }
    }

    @Test func `what follows the first value is ignored, and so is what nobody asked for`() throws {
        let response = bench.cloud(
            .post, "/admin/users", #"{"username": "b}{\"x", "odd": [1]}}"#, as: OfficeBench.admin)

        #expect(response.status == .ok)
        #expect(response.fields["username"] == #"b}{"x"#)
    }

    @Test(arguments: [
        ("{", "The body is not JSON"), ("[]", "The body is not a JSON object."),
        ("null", "The body is not a JSON object."),
        ("{\"userId\": }", "The body is not JSON"), ("\u{FFFD}", "The body is not JSON"),
    ])
    func `a body that is not an object is refused`(_ body: String, _ reason: String) throws {
        let response = bench.cloud(.post, "/v2/registrations", body)

        #expect(response.status == .badRequest)
        #expect(try bench.result(response)["code"] == "ERROR_REQUEST")
        #expect(bench.bench.explanation?.hasPrefix(reason) == true)
    }

    @Test func `an unknown path is told as one`() throws {
        try bench.expect(
            bench.cloud(.get, "/v2/nothing"), "ERROR_NOT_FOUND",
            "Nothing answers at this path with this method.", status: 404)
    }

    @Test(arguments: [
        ("/v2/fido2/registrations", "Passkeys of PowerAuth Cloud are not emulated"),
        ("/v2/fido2/assertions/challenge", "Passkeys of PowerAuth Cloud are not emulated"),
    ])
    func `what is not emulated says so`(_ path: String, _ words: String) throws {
        let response = bench.cloud(.post, path, "{}")

        #expect(response.status == .notImplemented)
        let error = try bench.result(response)
        #expect(error["code"] == "ERROR_GENERIC")
        #expect(error["message"]?.string?.hasPrefix(words) == true)
    }
}
