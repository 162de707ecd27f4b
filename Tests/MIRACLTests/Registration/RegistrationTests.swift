import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import MIRACL

@Suite struct RegistrationTests {
    private func start(_ bench: TestBench<MIRACL>, _ more: [String: JSONValue] = [:]) throws -> Response {
        try bench.put(
            "/miracl/rps/v2/user", more.merging(["userId": "ada@example.org", "mobile": 1]) { one, _ in one })
    }

    @Test func `a registration is answered with an id, a secret, and its times`() throws {
        let bench = try TestProject.bench()

        let begun = try start(bench)

        #expect(begun.status == .ok)
        #expect(begun.headers["Content-Type"] == "application/json")
        let members = begun.members
        let bytes = members["mpinId"]?.string.flatMap { Hex.decode($0) }
        let id = try JSONValue(parsing: #require(bytes))
        #expect(id["userID"] == "ada@example.org")
        #expect(id["cID"] == "blue")
        #expect(members["regOTT"]?.string?.utf8.count == 32)
        #expect(members["active"] == false)
        #expect(members["projectId"] == "blue")
        #expect(members["customerId"] == "blue")
        #expect(members["pinLength"] == 4)
        #expect(members["verificationType"] == "standardEmail")
        let (now, until) = (members["nowTime"]?.integer, members["expireTime"]?.integer)
        #expect(now.flatMap { now in until.map { $0 - now } } == 3600)
    }

    @Test func `shares are refused before the user has confirmed, and given after`() throws {
        let bench = try TestProject.bench()
        let begun = try start(bench).members
        let (id, regOTT) = (try #require(begun["mpinId"]?.string), try #require(begun["regOTT"]?.string))
        let path = "/miracl/rps/v2/signature/\(id)?regOTT=\(regOTT)"

        let early = bench.get(path)
        #expect(early.status == .unauthorized)
        #expect(early.json == refusal("IDENTITY_NOT_VERIFIED", "The identity is not verified"))

        let mail = try #require(bench.messages.first)
        let link = try #require(mail.message.link)
        let confirmed = bench.send(
            .post, "/miracl/verification/confirmation", body: Array(link.query.utf8),
            headers: ["Content-Type": "application/x-www-form-urlencoded"])
        #expect(confirmed.status == .ok)
        #expect(bench.get(path).status == .ok)
    }

    @Test func `both shares add up to the secret of the identity's point`() throws {
        let bench = try TestProject.bench(
            """
            "force_activation": true,
            "first_share": "0000000000000000000000000000000000000000000000000000000000000002",
            "second_share": "0000000000000000000000000000000000000000000000000000000000000003",
            """)
        let phone = try Phone(on: bench)

        // (2 + 3)·A − PIN·A
        let point = MPinIdentity(try #require(Hex.decode(phone.mpinID))).point
        #expect(phone.client.token == Scalar(5) * point - Scalar(Phone.pin) * point)
    }

    @Test func `a force-activated registration is active at once and sends no mail`() throws {
        let bench = try TestProject.bench("\"force_activated_users\": [\"ada@example.org\"],")

        #expect(try start(bench).members["active"] == true)
        #expect(try bench.messages.isEmpty)
        #expect(try start(bench, ["userId": "bob@example.org"]).members["active"] == false)
        #expect(try bench.messages.count == 1)
    }

    @Test func `a registration without a user id is malformed`() throws {
        let bench = try TestProject.bench()

        for body in ["{}", "{\"userId\": \"\"}", "{\"userId\": null}"] {
            let refused = bench.send(.put, "/miracl/rps/v2/user", body: Array(body.utf8))
            #expect(refused.status == .badRequest)
            #expect(
                refused.json
                    == refusal(
                        "INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": "userId"]))
        }
        let text = bench.send(.put, "/miracl/rps/v2/user", body: Array("\"ada\"".utf8))
        #expect(text.json == refusal("INVALID_REQUEST_PARAMETERS", "The request is malformed"))
    }

    @Test func `users who are not allowed are refused`() throws {
        let bench = try TestProject.bench("\"allowed_users\": [\"@example.com\", \"ada@example.org\"],")

        #expect(try start(bench).status == .ok)
        #expect(try start(bench, ["userId": "bob@example.com"]).status == .ok)
        let refused = try start(bench, ["userId": "bob@example.org"])
        #expect(refused.status == .forbidden)
        #expect(refused.json == refusal("FORBIDDEN", "The user is not allowed to register"))
    }

    @Test func `a wrong activation code is refused and nothing is registered`() throws {
        let bench = try TestProject.bench()

        let refused = try start(bench, ["activateCode": "000000"])

        #expect(refused.status == .forbidden)
        #expect(refused.json == refusal("INVALID_ACTIVATION_TOKEN", "Invalid activation token"))
        #expect(try bench.world.database.read { db in try db.all(Identity.self) }.isEmpty)
    }

    @Test func `a registration code of another device verifies once`() throws {
        let bench = try TestProject.bench("\"force_activated_users\": [\"ada@example.org\"],")
        let phone = try Phone(on: bench)
        let given = try phone.authenticate(scope: ["reg-code"]).members
        let code = try #require(given["otp"]?.string)

        let begun = try start(bench, ["activateCode": .string(code)])
        #expect(begun.members["active"] == true)
        let again = try start(bench, ["activateCode": .string(code)])
        #expect(again.json == refusal("INVALID_ACTIVATION_TOKEN", "Invalid activation token"))
        #expect(bench.explanation?.contains("it was already used") == true)
    }

    @Test func `a registration expires`() throws {
        let bench = try TestProject.bench("\"force_activation\": true,")
        let begun = try start(bench).members
        let (id, regOTT) = (try #require(begun["mpinId"]?.string), try #require(begun["regOTT"]?.string))

        bench.time.advance(seconds: 3600)

        let late = bench.get("/miracl/rps/v2/signature/\(id)?regOTT=\(regOTT)")
        #expect(late.status == .notFound)
        #expect(late.json == refusal("REGISTRATION_EXPIRED", "The registration has expired"))
    }

    @Test func `a wrong regOTT and an unknown id are refused`() throws {
        let bench = try TestProject.bench("\"force_activation\": true,")
        let id = try #require(try start(bench).members["mpinId"]?.string)

        let wrong = bench.get("/miracl/rps/v2/signature/\(id)?regOTT=00")
        #expect(wrong.status == .unauthorized)
        #expect(wrong.json == refusal("UNAUTHORIZED", "Invalid regOTT"))
        let unknown = bench.get("/miracl/rps/v2/signature/7b7d?regOTT=00")
        #expect(unknown.status == .notFound)
    }

    @Test func `the first share may be fetched until the first good proof`() throws {
        let bench = try TestProject.bench("\"force_activation\": true,")
        let phone = try Phone(on: bench)
        let path = "/miracl/rps/v2/signature/\(phone.mpinID)?regOTT=\(phone.regOTT)"
        #expect(bench.get(path).status == .ok)

        #expect(try phone.authenticate().status == .ok)

        #expect(bench.get(path).status == .notFound)
    }

    @Test func `a public key asks for the share of the id with the key`() throws {
        let bench = try TestProject.bench("\"force_activation\": true,")
        let begun = try start(bench).members
        let (id, regOTT) = (try #require(begun["mpinId"]?.string), try #require(begun["regOTT"]?.string))
        let path = "/miracl/rps/v2/signature/\(id)?regOTT=\(regOTT)"

        let members = bench.get(path + "&publicKey=" + Hex.encode(G2Point.generator.bytes)).members
        #expect(members["clientSecretShare"] == nil)
        #expect(members["dvsClientSecretShare"]?.string?.utf8.count == 130)
        // A point of the twist outside the subgroup, and no point at all.
        let refused = bench.get(path + "&publicKey=" + String(repeating: "0", count: 256))
        #expect(refused.status == .badRequest)
        #expect(
            refused.json
                == refusal(
                    "INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": "publicKey"]))
    }

    @Test func `a restart keeps the id and sends another mail`() throws {
        let bench = try TestProject.bench()
        let begun = try start(bench).members
        let (id, regOTT) = (try #require(begun["mpinId"]?.string), try #require(begun["regOTT"]?.string))

        let again = try bench.put(
            "/miracl/rps/v2/user/\(id)", ["userId": "ada@example.org", "regOTT": regOTT])
        #expect(again.members["mpinId"]?.string == id)
        #expect(try bench.messages.count == 2)

        let wrong = try bench.put(
            "/miracl/rps/v2/user/\(id)", ["userId": "ada@example.org", "regOTT": "00"])
        #expect(wrong.status == .forbidden)
        #expect(wrong.json == refusal("FORBIDDEN", "Invalid regOTT"))
    }

    @Test func `the URL of a share dies after a minute, and classic parameters with it`() throws {
        let bench = try TestProject.bench("\"force_activation\": true,")
        let phone = try Phone(on: bench)
        let given = bench.get("/miracl/rps/v2/signature/\(phone.mpinID)?regOTT=\(phone.regOTT)").members
        let (url, params) = (try #require(given["cs2url"]?.string), try #require(given["params"]?.string))
        let classic = "/miracl/rps/v2/dta/clientSecret?" + params
        #expect(bench.get(url.path).members["clientSecret"] == bench.get(classic).members["clientSecret"])

        bench.time.advance(seconds: 60)

        #expect(bench.get(url.path).status == .notFound)
        #expect(bench.get(url.path).json == refusal("NOT_FOUND", "Not found"))
        #expect(bench.get(classic).status == .requestTimeout)
        #expect(bench.get(classic).json == refusal("REQUEST_EXPIRED", "The request has expired"))
        #expect(bench.get("/miracl/rps/v2/secret/00").status == .notFound)
        #expect(bench.get("/miracl/rps/v2/dta/clientSecret?ticket=1").status == .requestTimeout)
        #expect(bench.misshapenExplanations.isEmpty)
    }

    @Test func `an activation token that nobody was given is refused`() throws {
        let bench = try TestProject.bench()

        let refused = try bench.post(
            "/miracl/registration",
            [
                "userId": "ada@example.org", "deviceName": "phone",
                "activationToken": String(repeating: "0", count: 32),
                "publicKey": Hex.encode(G2Point.generator.bytes),
            ])

        #expect(refused.status == .forbidden)
        #expect(refused.json == refusal("INVALID_ACTIVATION_TOKEN", "Invalid activation token"))
    }

    @Test func `settings are absolute URLs, permits off, and a new seed each time`() throws {
        let bench = try TestProject.bench()

        let (one, other) = (
            bench.get("/miracl/rps/v2/clientSettings"), bench.get("/miracl/rps/clientSettings")
        )

        let members = one.members
        #expect(members["registerURL"] == "http://localhost:8420/miracl/rps/v2/user")
        #expect(members["certivoxURL"] == "http://localhost:8420/miracl/rps/v2/dta/")
        #expect(members["mpinAuthServerURL"] == "http://localhost:8420/miracl/rps/v2")
        #expect(members["usePermits"] == false)
        let seed = try #require(members["seedValue"]?.string)
        #expect(seed.utf8.count == 128 && Hex.decode(seed) != nil)
        #expect(other.members["seedValue"]?.string != seed)
        let foreign = bench.get("/miracl/rps/v2/clientSettings", headers: ["X-MIRACL-CID": "red"])
        #expect(foreign.status == .forbidden)
        #expect(foreign.json == refusal("FORBIDDEN", "Unknown project"))
        #expect(bench.get("/miracl/service").members["url"] == "http://localhost:8420/miracl")
        #expect(bench.get("/miracl/.well-known/project-configuration").json == ["id": "blue"])
    }
}

extension String {
    /// What stands behind the question mark.
    fileprivate var query: String { String(drop { $0 != "?" }.dropFirst()) }
}
