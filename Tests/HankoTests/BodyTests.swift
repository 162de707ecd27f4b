import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// How request bodies are read. Source: Hanko 2.7, conventions of the classic endpoints.
struct BodyTests {
    @Test func `an empty body is an empty object, whatever its type`() throws {
        let bench = try TestBench.classic()

        for type in ["", "text/plain", "application/json"] {
            let headers: Headers = type.isEmpty ? [:] : ["Content-Type": type]
            let response = bench.send(.post, "/hanko/user", headers: headers)
            #expect(response.status == .badRequest)
            #expect(response.text == refusal(400, "email is a required field"))
        }
    }

    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "application/jsonish", nil])
    func `a body of another type is 415`(type: String?) throws {
        let bench = try TestBench.classic()

        let response = bench.send(
            .post, "/hanko/user", body: Array("{\"email\":\"ada@example.com\"}".utf8),
            headers: type.map { ["Content-Type": $0] } ?? [:])
        #expect(response.status == .unsupportedMediaType)
        #expect(response.text == refusal(415, "Unsupported Media Type"))
        #expect(bench.explanation?.contains("application/json") == true)
    }

    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8",
    ])
    func `JSON may name its charset`(type: String) throws {
        let response = try TestBench.classic().post(
            "/hanko/user", raw: "{\"email\":\"ada@example.com\"}", headers: ["Content-Type": type])

        #expect(response.status == .ok)
    }

    @Test(arguments: [
        "{", "{\"email\":}", "[]", "\"ada@example.com\"", "7", "{\"email\": 7}", "{\"email\": {}}",
    ])
    func `malformed JSON is 400 with the reason phrase`(body: String) throws {
        let bench = try TestBench.classic()

        let response = bench.post("/hanko/user", raw: body)
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "Bad Request"))
        #expect(bench.explanation?.contains("JSON") == true)
    }

    @Test(arguments: ["email", "Email", "EMAIL", "eMail"])
    func `members are found in any case`(name: String) throws {
        let response = try TestBench.classic().post("/hanko/user", [name: Ada.address])

        #expect(response.status == .ok)
    }

    @Test func `a member that comes twice in different case is taken once and harms nobody`() throws {
        let response = try TestBench.classic().post(
            "/hanko/user", raw: "{\"email\":\"ada@example.com\",\"EMAIL\":\"ada@example.com\"}")

        #expect(response.status == .ok)
    }

    @Test func `unknown members are ignored`() throws {
        let response = try TestBench.classic().post(
            "/hanko/user", raw: "{\"email\":\"ada@example.com\",\"password\":{\"a\":[1]}}")

        #expect(response.status == .ok)
    }

    @Test func `all broken rules are told in one sentence`() throws {
        let bench = try TestBench.classic()

        let response = try bench.post("/hanko/passcode/login/finalize", ["id": "none"])
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "id must be a valid uuid4 and code is a required field"))
    }

    @Test(arguments: [
        "ada", "ada@", "@example.com", "ada@localhost", "ada@example.com@example.com", "ada@@example.com",
        "a da@example.com", ".ada@example.com", "ada.@example.com", "ada@-example.test",
        "ada@example-.test",
        "ada@example.com\r\nBcc: all@example.com", "ada@example..test", "ada@example.t3",
        "ada\u{0}@example.com",
    ])
    func `what is no mail address is told so`(text: String) throws {
        let response = try TestBench.classic().post("/hanko/users", ["email": text])

        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "email must be a valid email address"))
    }

    @Test(arguments: [
        "ada+tag@example.com", "a.b-c_d@sub.example.com", "o'neil@example.com", "jörg@münchen.example",
        "a@b.cd",
    ])
    func `what is a mail address is taken`(text: String) throws {
        let response = try TestBench.classic().post("/hanko/users", ["email": text])

        #expect(response.status == .ok)
    }

    @Test func `an upper-case UUID is refused where members are validated, and explained`() throws {
        let bench = try TestBench.classic()

        let response = try bench.post("/hanko/passcode/login/initialize", ["user_id": Ada.id.uppercased()])
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "user_id must be a valid uuid4"))
        #expect(bench.explanation?.contains("lower case") == true)
        #expect(bench.explanation?.contains("uuidString") == true)
    }

    @Test func `a code that is a number is 400, and explained`() throws {
        let bench = try TestBench.classic()
        let (id, _) = try bench.startPasscode(for: Ada.id)

        let response = bench.post("/hanko/passcode/login/finalize", raw: "{\"id\":\"\(id)\",\"code\":394857}")
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "Bad Request"))
        #expect(bench.explanation?.contains("leading zeros") == true)
    }
}
