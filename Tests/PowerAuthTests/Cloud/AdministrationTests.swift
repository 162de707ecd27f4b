import Crypto
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

/// What administrators do. Source: PowerAuth Cloud documentation.
struct AdministrationTests {
    private let bench: OfficeBench

    init() throws { bench = try OfficeBench() }

    private func admin(_ method: Request.Method, _ path: String, _ body: String = "") -> Response {
        bench.cloud(method, "/admin" + path, body, as: OfficeBench.admin)
    }

    @Test func `an application shows what its apps are configured with`() throws {
        let object = try bench.object(admin(.get, "/applications/bank"))

        #expect(object["id"] == "bank")
        #expect(object["roles"] == ["ROLE_B", "ROLE_A"])
        #expect(object["appKey"]?.string == OfficeBench.key)
        #expect(object["appSecret"]?.string == OfficeBench.secret)
        #expect(object["serviceBaseUrl"] == "http://localhost:8420/enrollment-server")
        let master = try PrivateKey(pem: TestKeys.ec + "\n").publicKey
        let configuration = try MobileConfiguration(parsing: try #require(object["mobileSdkConfig"]?.string))
        #expect(configuration.applicationKey == OfficeBench.key)
        #expect(configuration.applicationSecret == OfficeBench.secret)
        #expect(configuration.masterKey == master)
        let text = try #require(object["masterServerPublicKey"]?.string)
        let point = try #require(Base64.decode(text))
        #expect(try PublicKey(x962: point) == master)
    }

    @Test func `a new application can be used as soon as it is assigned`() throws {
        let made = try bench.object(admin(.post, "/applications", #"{"id": "new-app", "roles": ["R"]}"#))
        #expect(made["roles"] == ["R"])
        #expect(made == (try bench.object(admin(.get, "/applications/new-app"))))
        try bench.expect(
            admin(.post, "/applications", #"{"id": "new-app"}"#), "ERROR_REQUEST",
            "The application “new-app” exists already.")
        let user = try bench.object(admin(.post, "/users/office/applications/new-app"))
        #expect(
            JSONValue.object(user) == [
                "username": "office", "enabled": true, "role": ["ROLE_USER"],
                "applications": ["bank", "none", "new-app"],
            ])

        let started = bench.cloud(.post, "/v2/registrations", #"{"userId": "ada", "appId": "new-app"}"#)

        #expect(started.status == .ok)
        #expect(
            try bench.object(admin(.delete, "/users/office/applications/new-app"))["applications"]
                == ["bank", "none"])
        #expect(
            try bench.object(admin(.get, "/applications"))["applications"]?.array?.compactMap {
                $0["id"]?.string
            }
                == ["bank", "shop", "none", "new-app"])
    }

    @Test func `roles that are no list are not taken for none`() throws {
        let database = bench.bench.world.database
        try database.write {
            try $0.execute("UPDATE powerauth_application SET roles = '{}' WHERE id = 'bank'")
        }

        #expect(throws: (any Error).self) { try database.read { _ = try Application.find("bank", in: $0) } }
    }

    @Test(arguments: ["", "ab", "a b", "ä-app", "a/b/c"])
    func `an id that the push server would not take is refused`(_ id: String) throws {
        let response = admin(.post, "/applications", JSONValue.object(["id": .string(id)]).text)

        #expect(try bench.result(response)["code"] == "ERROR_REQUEST")
    }

    @Test func `a new user gets a password that is shown once`() throws {
        let made = try bench.object(admin(.post, "/users", #"{"username": "clerk"}"#))
        let password = try #require(made["password"]?.string)
        #expect(made["role"] == ["ROLE_USER"])
        #expect(made["applications"] == [])
        let clerk = OfficeBench.basic("clerk", password)
        #expect(bench.cloud(.get, "/v2/registrations?userId=ada", as: clerk).status == .ok)
        #expect(try bench.object(admin(.get, "/users/clerk"))["password"] == nil)
        let all = try #require(try bench.object(admin(.get, "/users"))["users"]?.array)
        #expect(
            all.compactMap { $0["username"]?.string } == ["admin", "office", "stranger", "asleep", "clerk"])
        #expect(all.allSatisfy { $0["password"] == nil })
        try bench.expect(
            admin(.post, "/users", #"{"username": "clerk"}"#), "ERROR_REQUEST",
            "The user “clerk” exists already.")

        #expect(bench.cloud(.get, "/admin/users", as: clerk).status == .forbidden)
        #expect(
            try bench.object(admin(.post, "/users/clerk/roles/ROLE_ADMIN"))["role"] == [
                "ROLE_USER", "ROLE_ADMIN",
            ])
        #expect(bench.cloud(.get, "/admin/users", as: clerk).status == .ok)
        #expect(try bench.object(admin(.delete, "/users/clerk/roles/ROLE_ADMIN"))["role"] == ["ROLE_USER"])
        #expect(bench.cloud(.get, "/admin/users", as: clerk).status == .forbidden)
    }

    @Test(arguments: [
        ("GET", "/applications/nil", "There is no application “nil”."),
        ("GET", "/users/nil", "There is no user “nil”."),
        ("POST", "/users/nil/applications/bank", "There is no user “nil”."),
        ("POST", "/users/office/applications/nil", "There is no application “nil”."),
        (
            "POST", "/users/office/roles/ROLE_KING",
            "There is no role of that name: use ROLE_ADMIN or ROLE_USER."
        ),
        ("POST", "/applications/bank/push/sms", "There is no push service “sms”: use apns, fcm or hms."),
        ("POST", "/applications/nil/push/hms", "There is no application “nil”."),
    ])
    func `what is not there is told as a bad request`(_ method: String, _ path: String, _ message: String)
        throws
    {
        try bench.expect(admin(.init(rawValue: method), path, "{}"), "ERROR_REQUEST", message)
    }

    @Test func `push settings are kept and come out in the fixtures`() throws {
        bench.expectOK(
            admin(.post, "/applications/bank/push/fcm", #"{"projectId": "p", "privateKeyBase64": "a2V5"}"#))
        #expect(
            try bench.result(admin(.post, "/applications/bank/push/apns", "{}"))["violations"]?.array?.count
                == 4)

        let fixtures = try bench.bench.world.database.read { try PowerAuth.export(from: $0) }

        #expect(fixtures.applications?.first?.push?["fcm"]?["projectId"] == "p")
    }

    @Test func `claims of the user data store come back`() throws {
        let path = "/user-data-store/public/user-claims?userId=ada"
        let set = bench.bench.send(
            .post, path, body: Array(#"{"name": "Ada", "email": "ada@example.com"}"#.utf8),
            headers: OfficeBench.office)
        bench.expectOK(set)
        let shown = bench.bench.get(
            "/user-data-store/private/user-claims?userId=ada", headers: OfficeBench.office)
        #expect(shown.fields["name"] == "Ada")
        #expect(bench.bench.get(path.replacing("public", with: "private")).status == .unauthorized)
        let nobody = bench.bench.get(
            "/user-data-store/private/user-claims?userId=nobody", headers: OfficeBench.office)
        #expect(nobody.text == "{}")
    }
}
