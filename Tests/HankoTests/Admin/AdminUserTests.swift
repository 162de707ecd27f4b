import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// Source: Hanko 2.7, admin API.
struct AdminUserTests {
    // MARK: One user

    @Test func `a user is shown with everything`() throws {
        let response = try TestBench.admin().admin(.get, "/users/\(Ada.id)")

        #expect(response.status == .ok)
        let time: JSONValue = "2026-01-01T00:00:00Z"
        guard case .object(var user) = try response.value() else { throw HookMissing() }
        guard case .object(var username)? = user.removeValue(forKey: "username"),
            case .string(let usernameID)? = username.removeValue(forKey: "id")
        else { throw HookMissing() }
        #expect(UUIDText.isVersion4(usernameID))
        #expect(username == ["username": "ada", "created_at": time, "updated_at": time])
        #expect(
            user == [
                "id": .string(Ada.id), "created_at": time, "updated_at": time, "name": "Ada King",
                "given_name": "Ada", "family_name": "King", "picture": "https://example.test/ada.png",
                "emails": [
                    [
                        "id": .string(Ada.emailID), "address": .string(Ada.address), "is_verified": true,
                        "is_primary": true, "created_at": time, "updated_at": time,
                    ],
                    [
                        "id": .string(Belongings.secondEmailID), "address": "ada@work.example.com",
                        "is_verified": false, "is_primary": false, "created_at": time, "updated_at": time,
                    ],
                ],
                "password": [
                    "id": .string(Belongings.passwordID), "created_at": time, "updated_at": time,
                ],
                "otp": ["id": .string(Belongings.otpID), "created_at": time],
                "identities": [
                    [
                        "id": .string(Belongings.identityID), "provider_id": "117",
                        "provider_name": "google", "created_at": time, "updated_at": time,
                    ]
                ],
                "metadata": [
                    "public_metadata": ["role": "admin"], "private_metadata": ["n": 1],
                    "unsafe_metadata": ["color": "red"],
                ],
                "webauthn_credentials": [
                    [
                        "id": .string(Belongings.credentialID), "name": "Phone",
                        "public_key": .string(Belongings.publicKey), "attestation_type": "none",
                        "aaguid": "00000000-0000-0000-0000-000000000000", "created_at": time,
                        "transports": ["internal"], "backup_eligible": false, "backup_state": false,
                        "mfa_only": false,
                    ]
                ],
            ])
    }

    @Test func `what a user does not have is left out`() throws {
        let response = try TestBench.admin().admin(.get, "/users/\(Grace.id.uppercased())")

        #expect(
            response.text == """
                {"created_at":"2026-01-01T12:00:00Z","emails":[{"address":"\(Grace.address)",\
                "created_at":"2026-01-01T00:00:00Z","id":"\(Grace.emailID)","is_primary":true,\
                "is_verified":true,"updated_at":"2026-01-01T00:00:00Z"}],"id":"\(Grace.id)",\
                "updated_at":"2026-01-01T12:00:00Z"}

                """)
    }

    @Test func `a deleted user is gone with everything`() throws {
        let bench = try TestBench.admin()
        let token = try bench.signIn(Ada.id)

        let response = bench.admin(.delete, "/users/\(Ada.id)")
        #expect(response.status == .noContent)
        #expect(response.text == "")
        #expect(bench.admin(.get, "/users/\(Ada.id)").text == refusal(404, "user not found"))
        #expect(bench.get("/hanko/me", headers: .bearer(token)).status == .unauthorized)
        #expect(try bench.post("/hanko/user", ["email": Ada.address]).status == .notFound)
    }

    // MARK: The list

    private func ids(_ response: Response) throws -> [JSONValue] {
        guard case .array(let users) = try response.value() else { throw HookMissing() }
        return users.map { if case .object(let user) = $0 { user["id"] ?? nil } else { nil } }
    }

    @Test(arguments: [
        ("", [Grace.id, Ada.id]), ("?sort_direction=desc", [Grace.id, Ada.id]),
        ("?sort_direction=asc", [Ada.id, Grace.id]), ("?email=WORK", [Ada.id]),
        ("?email=example.com", [Grace.id, Ada.id]), ("?username=D", [Ada.id]), ("?username=x", []),
        ("?user_id=\(Grace.id)", [Grace.id]),
        ("?user_id=\(Grace.id),\(Ada.id.uppercased())", [Grace.id, Ada.id]),
        ("?user_id=\(Belongings.otherID)", []), ("?email=grace&username=ada", []),
        ("?page=0&per_page=0", [Grace.id, Ada.id]),
    ])
    func `the list is filtered and sorted`(query: String, expected: [String]) throws {
        let response = try TestBench.admin().admin(.get, "/users" + query)

        #expect(response.status == .ok)
        #expect(try ids(response) == expected.map(JSONValue.string))
        #expect(response.headers["X-Total-Count"] == "\(expected.count)")
    }

    @Test func `who has neither an address nor a username is not listed`() throws {
        let bench = try TestBench.admin()
        let created = try bench.register("new@example.com")

        #expect(bench.admin(.get, "/users").headers["X-Total-Count"] == "2")
        #expect(bench.admin(.get, "/users/\(created.id)").status == .ok)
    }

    private static let base = "http://localhost:8420/hanko-admin/users"

    @Test(arguments: [
        ("?page=1&per_page=1", [(2, "last"), (2, "next")]),
        ("?page=2&per_page=1", [(1, "first"), (1, "prev")]),
        ("?page=3&per_page=1", [(1, "first"), (2, "last"), (2, "prev")]),
        ("?per_page=2", [(1, "first")]),
    ])
    func `links name the other pages`(query: String, links: [(page: Int, relation: String)]) throws {
        let response = try TestBench.admin().admin(.get, "/users" + query)

        let size = query.hasSuffix("2") ? 2 : 1
        let expected = links.map { "<\(Self.base)?page=\($0.page)&per_page=\(size)>; rel=\"\($0.relation)\"" }
        #expect(response.headers["Link"] == expected.joined(separator: ","))
    }

    @Test func `links keep the filter, and a page has at most a thousand entries`() throws {
        let bench = try TestBench.admin()

        let response = bench.admin(.get, "/users?email=a%20b&per_page=5000&page=2")
        #expect(
            response.headers["Link"]
                == "<\(Self.base)?email=a%20b&page=1&per_page=1000>; rel=\"first\","
                + "<\(Self.base)?email=a%20b&page=1&per_page=1000>; rel=\"last\","
                + "<\(Self.base)?email=a%20b&page=1&per_page=1000>; rel=\"prev\"")
        let hosted = bench.get("/hanko/admin/users")
        #expect(
            hosted.headers["Link"]
                == "<http://localhost:8420/hanko/admin/users?page=1&per_page=20>; rel=\"first\"")
    }

    @Test(arguments: [
        ("?page=x", "“page”"), ("?per_page=-1", "“per_page”"), ("?page=99999999999999999999", "“page”"),
        ("?sort_direction=up", "“sort_direction”"), ("?user_id=ada", "“user_id”"),
        ("?user_id=\(Ada.id),", "“user_id”"),
    ])
    func `a query that makes no sense is 400`(query: String, word: String) throws {
        let bench = try TestBench.admin()

        let response = bench.admin(.get, "/users" + query)
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "Bad Request"))
        #expect(bench.explanation?.contains(word) == true)
    }

    // MARK: Making

    @Test func `a user is made with id, time, addresses and name`() throws {
        let bench = try TestBench.admin()

        let response = bench.admin(
            .post, "/users",
            """
            {"id": "\(Belongings.otherID)", "username": "Linus_1", "created_at": "2020-02-03T04:05:06Z",
                "emails": [{"address": "Linus@Example.com", "is_primary": true, "is_verified": true},
                    {"address": "second@example.com", "is_primary": false}]}
            """)
        #expect(response.status == .ok)
        guard case .object(let user) = try response.value(), case .object(let name)? = user["username"],
            case .array(let emails)? = user["emails"], emails.count == 2,
            case .object(let first) = emails[0], case .object(let second) = emails[1]
        else { throw HookMissing() }
        #expect(user["id"] == .string(Belongings.otherID))
        #expect(user["created_at"] == "2020-02-03T04:05:06Z")
        #expect(name["username"] == "linus_1")
        #expect(
            [first["address"], first["is_primary"], first["is_verified"]] == [
                "linus@example.com", true, true,
            ])
        #expect(
            [second["address"], second["is_primary"], second["is_verified"]]
                == ["second@example.com", false, false])
        #expect(try bench.admin(.get, "/users/\(Belongings.otherID)").value() == response.value())
        let token = try bench.signIn(Belongings.otherID)
        #expect(bench.get("/hanko/me", headers: .bearer(token)).status == .ok)
    }

    @Test func `an address that waits to be confirmed becomes the new user's`() throws {
        let bench = try TestBench.admin()
        let pending = try bench.register("new@example.com")

        let response = bench.admin(
            .post, "/users", "{\"emails\": [{\"address\": \"new@example.com\", \"is_primary\": true}]}")
        guard case .object(let user) = try response.value(), case .array(let emails)? = user["emails"],
            case .object(let email)? = emails.first
        else { throw HookMissing() }
        #expect(email["id"] == .string(pending.email_id))
    }

    private static let primary = "{\"address\": \"a@example.com\", \"is_primary\": true}"
    private static let other = "{\"address\": \"b@example.com\", \"is_primary\": true}"

    @Test(arguments: [
        ("{}", 400, "Bad Request", "neither"), ("{\"emails\": []}", 400, "Bad Request", "neither"),
        ("{\"emails\": [{\"address\": \"a@example.com\"}]}", 400, "Bad Request", "here 0 have"),
        ("{\"emails\": [\(primary), \(other)]}", 400, "Bad Request", "here 2 have"),
        ("{\"emails\": [\(primary), \(primary)]}", 400, "emails entries are not unique", "twice"),
        (
            "{\"emails\": [{\"address\": \"a\"}]}", 400, "address must be a valid email address",
            "mail address"
        ),
        ("{\"emails\": [{}]}", 400, "address is a required field", "“address”"),
        ("{\"emails\": 7}", 400, "Bad Request", "array"),
        ("{\"username\": \"\"}", 400, "Bad Request", "underscores"),
        ("{\"username\": \"a b\"}", 400, "Bad Request", "underscores"),
        ("{\"id\": \"1\", \"username\": \"x\"}", 400, "Bad Request", "UUID"),
        ("{\"created_at\": \"now\", \"username\": \"x\"}", 400, "Bad Request", "RFC 3339"),
        ("{", 400, "Bad Request", "JSON"),
        ("{\"id\": \"\(Ada.id)\", \"username\": \"x\"}", 409, "Conflict", "leave out “id”"),
        ("{\"username\": \"ADA\"}", 409, "Conflict", Ada.id),
        (
            "{\"emails\": [{\"address\": \"\(Ada.address)\", \"is_primary\": true}]}", 409, "Conflict", Ada.id
        ),
    ])
    func `a user that cannot be is refused`(body: String, status: Int, message: String, word: String) throws {
        let bench = try TestBench.admin()

        let response = bench.admin(.post, "/users", body)
        #expect(response.status.code == status)
        #expect(response.text == refusal(status, message))
        #expect(bench.explanation?.contains(word) == true, "\(bench.explanation ?? "")")
        #expect(bench.admin(.get, "/users").headers["X-Total-Count"] == "2")
    }

    // MARK: Changing

    @Test func `what is missing stays, what is null goes`() throws {
        let bench = try TestBench.admin()
        try bench.clock.advance(seconds: 60)

        let response = bench.admin(
            .patch, "/users/\(Ada.id)",
            "{\"username\": \"Countess\", \"Given_Name\": \"Augusta\", \"family_name\": null, \"unknown\": 1}"
        )
        #expect(response.status == .ok)
        guard case .object(let user) = try response.value(), case .object(let name)? = user["username"] else {
            throw HookMissing()
        }
        #expect(name["username"] == "countess")
        #expect([user["name"], user["given_name"], user["family_name"]] == ["Ada King", "Augusta", nil])
        #expect(user["picture"] == "https://example.test/ada.png")
        #expect(user["updated_at"] == "2026-01-02T03:05:05Z")
        #expect(bench.admin(.patch, "/users/\(Ada.id)", "{\"username\": null}").status == .ok)
        #expect(bench.admin(.get, "/users?username=countess").headers["X-Total-Count"] == "0")
    }

    @Test func `an empty patch changes nothing`() throws {
        let bench = try TestBench.admin()
        let before = bench.admin(.get, "/users/\(Ada.id)")
        try bench.clock.advance(seconds: 60)

        #expect(bench.admin(.patch, "/users/\(Ada.id)", "{}").text == before.text)
        #expect(bench.admin(.patch, "/users/\(Ada.id)", "{\"username\": \"ada\"}").text == before.text)
    }

    @Test(arguments: [
        (Ada.id, "{\"name\": \" \"}", 400, "Bad Request", "blanks"),
        (Ada.id, "{\"given_name\": \"\"}", 400, "Bad Request", "“given_name”"),
        (Ada.id, "{\"family_name\": \"\(String(repeating: "x", count: 256))\"}", 400, "Bad Request", "255"),
        (Ada.id, "{\"username\": \"a-b\"}", 400, "Bad Request", "underscores"),
        (Ada.id, "{\"username\": \"\"}", 400, "Bad Request", "underscores"),
        (Ada.id, "{\"picture\": \"ftp://x/y\"}", 400, "Bad Request", "“picture”"),
        (Ada.id, "{\"picture\": \"https://u:p@x/y\"}", 400, "Bad Request", "credentials"),
        (Ada.id, "{\"picture\": \"\"}", 400, "Bad Request", "“picture”"),
        (Ada.id, "{\"name\": 7}", 400, "Bad Request", "name"), (Ada.id, "[]", 400, "Bad Request", "JSON"),
        (Grace.id, "{\"username\": \"Ada\"}", 409, "Conflict", Ada.id),
        (Belongings.otherID, "{\"name\": \"x\"}", 404, "user not found", Belongings.otherID),
        ("ada", "{\"name\": \"x\"}", 400, "Bad Request", "UUID"),
    ])
    func `a change that cannot be is refused`(
        id: String, body: String, status: Int, message: String, word: String
    ) throws {
        let bench = try TestBench.admin()
        let before = bench.admin(.get, "/users").text

        let response = bench.admin(.patch, "/users/\(id)", body)
        #expect(response.status.code == status)
        #expect(response.text == refusal(status, message))
        #expect(bench.explanation?.contains(word) == true, "\(bench.explanation ?? "")")
        #expect(bench.admin(.get, "/users").text == before)
    }
}
