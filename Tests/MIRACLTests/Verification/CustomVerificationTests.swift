import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import MIRACL

@Suite struct CustomVerificationTests {
    private static let bearer = "Bearer blue-token"
    private static let basic = "Basic " + Base64.encode(Array("shop:shop-secret".utf8))

    private func start(
        _ bench: TestBench<MIRACL>, _ more: [String: JSONValue] = [:], as authorization: String = bearer
    ) throws -> Response {
        try bench.post(
            "/miracl/verification",
            more.merging([
                "userId": "ada+1@example.org", "projectId": "blue", "deviceName": "phone", "delivery": "no",
            ]) { one, _ in one },
            headers: ["Authorization": authorization])
    }

    @Test(arguments: [basic, bearer])
    func `a back end gets the link itself, and no mail is sent`(_ authorization: String) throws {
        let bench = try TestProject.bench("\"verification_method\": \"custom\",")

        let started = try start(
            bench,
            [
                "clientId": "shop", "redirectURI": "https://shop.example/login", "stage": "auth",
                "state": "s t", "accessId": "some-session",
            ], as: authorization)

        #expect(started.status == .ok)
        #expect(Set(started.members.keys) == ["verificationURL"])
        let url = try #require(started.members["verificationURL"]?.string)
        #expect(url.hasPrefix("http://localhost:8420/miracl/verification/confirmation?user_id=ada%2B1%40"))
        let query = Form(url.behind("?"))
        #expect(query["client_id"] == "shop")
        #expect(query["redirect_uri"] == "https://shop.example/login")
        #expect(query["stage"] == "auth")
        #expect(query["state"] == "s t")
        #expect(try bench.messages.isEmpty)
        let confirmed = try bench.confirm(#require(query["code"]), as: "ada+1@example.org")
        #expect(confirmed.members["accessId"] == "some-session")
        #expect(confirmed.members["actToken"]?.string?.utf8.count == 32)
    }

    @Test func `a link lives as long as the back end says`() throws {
        let bench = try TestProject.bench()
        let url = try #require(start(bench, ["expiration": 30]).members["verificationURL"]?.string)
        let code = try #require(Form(url.behind("?"))["code"])
        try bench.clock.advance(seconds: 30)

        let late = try bench.confirm(code, as: "ada+1@example.org")

        #expect(late.status == .badRequest)
    }

    @Test func `its end may be a moment in Unix time, as well as a number of seconds`() throws {
        let bench = try TestProject.bench()
        let now = Int(bench.clock.now.timeIntervalSince1970)
        let url = try #require(
            start(bench, ["expiration": .integer(now + 5)]).members["verificationURL"]?.string)
        let code = try #require(Form(url.behind("?"))["code"])
        let kept = try bench.world.database.read { db in try db.all(OneTimeCode.self) }
        #expect(kept.map(\.expiresAt.unixSeconds) == [now + 5])
        try bench.clock.advance(seconds: 6)
        #expect(try bench.confirm(code, as: "ada+1@example.org").status == .badRequest)
        #expect(bench.explanation?.contains("it expired at") == true)
    }

    @Test func `a moment that is over, or years away, is no end`() throws {
        let bench = try TestProject.bench()
        let now = Int(bench.clock.now.timeIntervalSince1970)
        for (moment, reason) in [
            (now, "0 s ago"), (now - 60, "60 s ago"), (now * 1000, "may be milliseconds"),
        ] {
            let refused = try start(bench, ["expiration": .integer(moment)])
            #expect(refused.isRefusal(of: "expiration"))
            #expect(bench.explanation?.contains(reason) == true, "\(bench.explanation ?? "")")
        }
    }

    @Test(arguments: [
        ("Bearer other", Status.unauthorized),
        ("Basic " + Base64.encode(Array("shop:x".utf8)), .unauthorized),
        ("Digest x", .unauthorized),
    ])
    func `a back end proves who it is`(_ authorization: String, _ status: Status) throws {
        let bench = try TestProject.bench()

        let refused = try start(bench, as: authorization)

        #expect(refused.status == status)
        #expect(refused.json == refusal("UNAUTHORIZED", "Unauthorized"))
        #expect(bench.misshapenExplanations.isEmpty)
    }

    @Test func `a back end stays in its project`() throws {
        let refused = try start(TestProject.bench(), ["projectId": "red"])

        #expect(refused.status == .forbidden)
        #expect(refused.json == refusal("FORBIDDEN", "The project is another one"))
    }

    @Test(arguments: [("expiration", JSONValue.integer(0)), ("expiration", "soon"), ("delivery", "mail")])
    func `members that make no sense are named`(_ name: String, _ value: JSONValue) throws {
        let refused = try start(TestProject.bench(), [name: value])

        #expect(refused.status == .badRequest)
        #expect(
            refused.json
                == refusal("INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": name]))
    }

    @Test func `a registration gets the M-Pin id that activate initiate told`() throws {
        let bench = try TestProject.bench("\"verification_method\": \"custom\",")
        let begun = try bench.post(
            "/miracl/activate/initiate", ["userId": "ada@example.org", "deviceName": "phone"],
            headers: ["Authorization": Self.basic])

        #expect(begun.status == .ok)
        let members = begun.members
        #expect(members["redirectURI"] == "")
        #expect(members["expireTime"]?.integer == Int(bench.clock.now.timeIntervalSince1970) + 3600)
        let id = try #require(members["mpinId"]?.string)
        #expect(
            members["hashMPinId"]?.string
                == Hex.encode(Digest.sha256(Hex.decode(id) ?? [])))
        let made = try bench.put(
            "/miracl/rps/v2/user",
            ["userId": "ada@example.org", "activateCode": members["actToken"]?.string ?? ""])
        #expect(made.members["mpinId"]?.string == id)
        #expect(made.members["active"] == true)
    }

    @Test func `activate initiate wants credentials and a user`() throws {
        let bench = try TestProject.bench()

        let bare = try bench.post("/miracl/activate/initiate", ["userId": "ada"])
        #expect(bare.status == .unauthorized)
        #expect(bare.json == refusal("UNAUTHORIZED", "Unauthorized"))
        let nobody = try bench.post(
            "/miracl/activate/initiate", ["deviceName": "x"], headers: ["Authorization": Self.basic])
        #expect(nobody.status == .badRequest)
    }

    @Test(arguments: ["/miracl/rps/v2/user/", "/miracl/rps/user/"])
    func `the activate key of a registration verifies it`(_ path: String) throws {
        let bench = try TestProject.bench("\"verification_method\": \"custom\",")
        let begun = try bench.put("/miracl/rps/v2/user", ["userId": "ada@example.org"]).members
        let (id, regOTT) = (begun["mpinId"]?.string ?? "", begun["regOTT"]?.string ?? "")
        let share = "/miracl/rps/v2/signature/\(id)?regOTT=\(regOTT)"
        let key = try #require(
            try bench.world.database.read { db in try db.all(OneTimeCode.self) }.first { $0.mpinID == id })

        let wrong = try bench.post(path + id, ["activateKey": "deadbeef"])
        #expect(wrong.status == .unauthorized)
        #expect(wrong.json == refusal("UNAUTHORIZED", "Invalid activateKey"))
        #expect(bench.get(share).status == .unauthorized)
        let unknown = try bench.post(path + "7b7d", ["activateKey": key.text])
        #expect(unknown.status == .unauthorized)
        #expect(unknown.json == refusal("UNAUTHORIZED", "M-Pin ID not found"))
        #expect(bench.post(path + id, raw: "{}").status == .badRequest)
        let right = try bench.post(path + id.uppercased(), ["activateKey": key.text])
        #expect(right.status == .ok)
        #expect(right.json == [:])
        #expect(bench.get(share).status == .ok)
        #expect(try bench.post(path + id, ["activateKey": key.text]).status == .unauthorized)
        #expect(bench.misshapenExplanations.isEmpty)
    }
}
