import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct PasswordTests {
    private let login = "/hanko/password/login"
    private let right = "analytical-engine"

    private func standing(_ response: Response) -> [String?] {
        ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"].map {
            response.headers[$0]
        }
    }

    /// A bench on which Ada has a password, and her session.
    private func prepared(config: String = "") throws -> (bench: TestBench<Hanko>, session: Headers) {
        let bench = try TestBench.mobile(config: config)
        let session = try bench.signedIn()
        let set = try bench.put(
            "/hanko/password", ["user_id": Ada.id, "password": right], headers: session)
        #expect(set.status == .created)
        return (bench, session)
    }

    @Test func `a password is set with 201, changed with 200, and signs in; every body is null`() throws {
        let (bench, session) = try prepared()

        let changed = try bench.put(
            "/hanko/password", ["user_id": Ada.id, "password": "difference-engine"], headers: session)
        #expect(changed.status == .ok)
        #expect(changed.text == "null\n")
        #expect(changed.headers["Content-Type"] == "application/json")

        let response = try bench.post(login, ["user_id": Ada.id, "password": "difference-engine"])
        #expect(response.status == .ok)
        #expect(response.text == "null\n")
        #expect(response.headers["X-Session-Lifetime"] == "43200")
        let token = try #require(response.headers["X-Auth-Token"])
        #expect(bench.get("/hanko/me", headers: .bearer(token)).status == .ok)
        let old = try bench.post(login, ["user_id": Ada.id, "password": right])
        #expect(old.status == .unauthorized)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `the first password's answer is null as well`() throws {
        let bench = try TestBench.mobile()

        let response = try bench.put(
            "/hanko/password", ["user_id": Ada.id, "password": right], headers: try bench.signedIn())
        #expect(response.status == .created)
        #expect(response.text == "null\n")
    }

    @Test(arguments: [
        (Ada.id, "short77", 400, "password must be at least 8 characters long"),
        // Eight characters of several bytes, 72 bytes, and one more.
        (Ada.id, String(repeating: "é", count: 8), 201, ""),
        (Ada.id, String(repeating: "a", count: 72), 201, ""),
        (Ada.id, String(repeating: "é", count: 37), 400, "password must not be longer than 72 bytes"),
        // Too short comes before the user.
        ("ada00000-0000-4000-8000-00000000ffff", "short", 400, "password must be at least 8 characters long"),
        ("ada00000-0000-4000-8000-00000000ffff", "analytical-engine", 401, "Unauthorized"),
        (Grace.id, "analytical-engine", 403, "Forbidden"),
        (Ada.id.uppercased(), "analytical-engine", 400, "user_id must be a valid uuid4"),
        (Ada.id, "", 400, "password is a required field"),
    ])
    func `a password is set by its user, in a length that bcrypt takes`(
        userID: String, password: String, status: Int, message: String
    ) throws {
        let bench = try TestBench.mobile()

        let response = try bench.put(
            "/hanko/password", ["user_id": userID, "password": password], headers: try bench.signedIn())
        #expect(response.status.code == status)
        #expect(response.text == (status == 201 ? "null\n" : refusal(status, message)))
        #expect((bench.explanation == nil) == (status == 201))
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `the least length is the configuration's`() throws {
        let bench = try TestBench.mobile(config: "\"password\": {\"min_length\": 12}")

        let response = try bench.put(
            "/hanko/password", ["user_id": Ada.id, "password": "elevenchars"],
            headers: try bench.signedIn())
        #expect(response.text == refusal(400, "password must be at least 12 characters long"))
    }

    @Test func `setting a password needs a session`() throws {
        let bench = try TestBench.mobile()

        let response = try bench.put("/hanko/password", ["user_id": Ada.id, "password": right])
        #expect(response.status == .unauthorized)
    }

    @Test(arguments: [
        (Ada.id, "difference-engine", 401, "Unauthorized", "not the one"),
        (Ada.id, " analytical-engine\n", 401, "Unauthorized", "white space"),
        (Grace.id, "analytical-engine", 401, "Unauthorized", "has no password"),
        ("ada00000-0000-4000-8000-00000000ffff", "x", 401, "Unauthorized", "no user"),
        (
            Ada.id, String(repeating: "a", count: 73), 400, "password must not be longer than 72 bytes",
            "73 bytes"
        ),
        // The user comes before the length.
        (
            "ada00000-0000-4000-8000-00000000ffff", String(repeating: "a", count: 73), 401, "Unauthorized",
            "no user"
        ),
        ("7", "x", 400, "user_id must be a valid uuid4", "UUID"),
    ])
    func `a login that fails says why in the journal`(
        userID: String, password: String, status: Int, message: String, word: String
    ) throws {
        let (bench, _) = try prepared()

        let response = try bench.post(login, ["user_id": userID, "password": password])
        #expect(response.status.code == status)
        #expect(response.text == refusal(status, message))
        #expect(response.sessionToken == nil)
        #expect(bench.explanation?.contains(word) == true, "\(bench.explanation ?? "")")
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `five logins a minute, right ones counted too, also of users who do not exist`() throws {
        let (bench, _) = try prepared()

        for remaining in ["4", "3"] {
            let response = try bench.post(login, ["user_id": Ada.id, "password": right])
            #expect(standing(response) == ["5", remaining, "60", nil])
        }
        for remaining in ["2", "1", "0"] {
            let response = try bench.post(login, ["user_id": Ada.id, "password": "wrong"])
            #expect(response.status == .unauthorized)
            #expect(standing(response) == ["5", remaining, "60", nil])
        }
        let refused = try bench.post(login, ["user_id": Ada.id, "password": right])
        #expect(refused.status == .tooManyRequests)
        #expect(refused.text == refusal(429, "Too Many Requests"))
        #expect(standing(refused) == ["5", "0", "60", "60"])
        #expect(bench.explanation?.contains("calls of /password/login for the user \(Ada.id)") == true)
        let nobody = try bench.post(
            login, ["user_id": "ada00000-0000-4000-8000-00000000ffff", "password": "x"])
        #expect(standing(nobody) == ["5", "4", "60", nil])

        try bench.clock.advance(seconds: 60)
        #expect(try bench.post(login, ["user_id": Ada.id, "password": right]).status == .ok)
    }

    @Test func `without the limiter nothing is counted`() throws {
        let (bench, _) = try prepared(config: "\"rate_limiter\": {\"enabled\": false}")

        for _ in 1...6 {
            let response = try bench.post(login, ["user_id": Ada.id, "password": right])
            #expect(response.status == .ok)
            #expect(standing(response) == [nil, nil, nil, nil])
        }
    }

    @Test func `the classic token says neither username nor how`() throws {
        let (bench, _) = try prepared()

        let response = try bench.post(login, ["user_id": Ada.id, "password": right])
        let claims = try TokenReader(try #require(response.sessionToken)).claims
        #expect(claims["amr"] == nil)
        #expect(claims["username"] == nil)
    }
}
