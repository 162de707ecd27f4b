import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

/// Every refusal of the server API with its whole body, and what the journal says of it.
@Suite struct ErrorTests {
    private func refused(
        _ answer: Response, _ api: ServerAPI, _ status: Status, _ code: String, _ message: String,
        journal: String
    ) {
        #expect(answer.status == status)
        #expect(answer.text == ServerAPI.refusal(code, message))
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(api.bench.explanation?.contains(journal) == true, "\(api.bench.explanation ?? "nothing")")
    }

    @Test func `keys and permissions`() throws {
        let api = try ServerAPI(isHeadless: true)
        refused(
            api.send(.get, "/", key: nil), api, .unauthorized, "unauthorized",
            "The header X-apikey is missing", journal: "names the API key")
        refused(
            api.send(.get, "/", key: "x"), api, .unauthorized, "unauthorized", "The API key is unknown",
            journal: "“x”")
        let weak = try api.key([.users], on: Cast.serverID)
        let lacking = "The role lacks a permission"
        refused(
            api.send(.get, "/sessions/", key: weak), api, .forbidden, "forbidden", lacking,
            journal: "the permission “sessions” on this server")
        refused(
            api.send(.get, "/accounts/1", key: weak), api, .forbidden, "forbidden", lacking,
            journal: "one of the permissions “sessions”, “accounts” on this server")
        refused(
            api.send(.get, "//apikeys/", key: weak), api, .forbidden, "forbidden", lacking,
            journal: "one of the global permissions “servers”")
    }

    @Test func `acting as another role`() throws {
        let api = try ServerAPI(isHeadless: true)
        let weak = try api.key([.users], on: Cast.serverID)
        let role = String(weak.dropFirst(4))
        // With the weak role's eyes the session cannot be seen, and the users can.
        #expect(api.send(.get, "/sessions/", headers: ["X-su": role]).status == .forbidden)
        #expect(api.send(.get, "/users/", headers: ["X-su": role]).status == .ok)
        refused(
            api.send(.get, "/users/", key: weak, headers: ["X-su": Cast.role]), api, .forbidden, "forbidden",
            "The role may not act as another one", journal: "“root” or “setrid”")
        refused(
            api.send(.get, "/users/", headers: ["X-su": "CCCC"]), api, .notFound, "not_found", "No such role",
            journal: "no role “CCCC”")
        let setrid = try api.key([.setrid], on: nil)
        #expect(api.send(.get, "/users/", key: setrid, headers: ["X-su": role]).status == .ok)
    }

    @Test func `what is not there`() throws {
        let api = try ServerAPI(isHeadless: true)
        refused(
            api.send(.get, "//servers/nowhere/"), api, .notFound, "not_found", "No such server",
            journal: "no server “nowhere”")
        refused(
            api.send(.delete, "/users/nobody/"), api, .notFound, "not_found", "No such user",
            journal: "no user “nobody”")
        refused(
            api.send(.get, "/accounts/none"), api, .notFound, "not_found", "No such account",
            journal: "no account “none”")
        refused(
            api.send(.get, "/users/ada/role"), api, .notFound, "not_found", "The user has no role",
            journal: "POST to the same path makes one")
        refused(
            api.send(.get, "/transactions/none"), api, .notFound, "not_found", "No such transaction",
            journal: "no transaction “none”")
        refused(
            api.send(.get, "/nothing"), api, .notFound, "not_found", "Nothing answers at this path",
            journal: "Nothing answers")
        let wrong = api.send(.put, "/vash")
        refused(
            wrong, api, .methodNotAllowed, "method_not_allowed", "The path does not answer this method",
            journal: "GET")
        #expect(wrong.headers["Allow"] == "GET, HEAD")
    }

    @Test(arguments: [
        (Request.Method.put, "/accounts/1/user?userid="), (.post, "/sessions/registeruser?userid="),
        (.get, "/sessions/qr/enrol?name=x&userid="), (.get, "/sessions/html/enrol?userid="),
        (.put, "/accounts/1/user?userid=" + String(repeating: "x", count: 256)),
        (.post, "/users/\(String(repeating: "x", count: 256))/attributes"),
    ])
    func `a user id that is not allowed`(_ method: Request.Method, _ path: String) throws {
        let api = try ServerAPI(isHeadless: true)
        let body: JSONValue? = path.hasSuffix("attributes") ? [:] : nil
        if path.contains("html/enrol") {
            // The id also stands for the name that is missing.
            #expect(api.send(method, path).status == .badRequest)
            return
        }
        refused(
            api.send(method, path, body: body), api, .forbidden, "forbidden", "The user id is not allowed",
            journal: "1 to 255 characters")
    }

    @Test(arguments: [
        (Request.Method.post, "/sessions/registeruser?userid=ada"), (.post, "/sessions/transactions"),
    ])
    func `nobody logged in`(_ method: Request.Method, _ path: String) throws {
        let api = try ServerAPI(isHeadless: true)
        refused(
            api.send(method, path, body: ["amount": "1"], nonce: "fresh"), api, .forbidden, "forbidden",
            "No account belongs to this session", journal: "No user is logged in")
    }

    @Test func `a push to nobody`() throws {
        let api = try ServerAPI(isHeadless: true)
        let message = "A login cannot be pushed on this session"
        refused(
            api.send(.post, "/sessions/provokelogin", nonce: "fresh"), api, .forbidden, "forbidden", message,
            journal: "No user has logged in on this session yet")
        _ = try api.ask(.post, "/users/grace/attributes", [:])
        refused(
            api.send(.post, "/users/grace/provokelogin"), api, .forbidden, "forbidden", message,
            journal: "grace has no account")
        _ = try api.ask(.delete, "/accounts/1")
        refused(
            api.send(.post, "/sessions/provokelogin"), api, .forbidden, "forbidden", message,
            journal: "The account 1, which was last logged in on this session, no longer exists")
    }

    @Test func `the vendor's device protocol`() throws {
        let api = try ServerAPI(isHeadless: true)
        refused(
            api.bench.post("/nextauth/api/nauth", raw: "x"), api, .notImplemented, "not_implemented",
            "Not emulated", journal: "http://localhost:8420/nextauth/device/v1")
    }
}
