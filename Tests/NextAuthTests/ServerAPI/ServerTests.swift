import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

@Suite struct ServerTests {
    @Test func `a new server has an id and a key of its own, and works`() throws {
        let api = try ServerAPI(isHeadless: true)
        let made = try api.ask(
            .post, "//servers/",
            [
                "serverName": "Shop", "serverid": "x", "serverpk": "y", "logo": "AAAA", "pingTime": 60,
                "pinTimeout": -1, "pinTransTimeout": 5, "serverFlags": ["a", "b"], "appname": "Shop app",
                "wsurl": "wss://shop.example/ws", "owner": 7, "accountCount": 99,
            ])
        let id = try #require(made["serverid"]?.string)
        #expect(Base64.decode(id)?.count == 16)
        #expect(!id.contains("/") && !id.contains("+"))
        #expect(
            try PublicKey(der: #require(Base64.decode(made["serverpk"]?.string ?? ""))).kind == .ec(.p256))
        #expect(made["accountCount"] == 0)
        #expect(made["serverFlags"] == ["a", "b"])
        #expect(try api.get("//servers/\(id)") == made)

        let second = try api.ask(.post, "//servers/", ["serverName": "Shop"])
        #expect(second["serverid"] != made["serverid"])
        #expect(second["serverpk"] != made["serverpk"])
        #expect(second["wsurl"] == "ws://localhost:8420/nextauth/ws")
        let hsids = try [id, try #require(second["serverid"]?.string)].map {
            try api.get("//servers/\($0)/sessions/")["hsid"]?.string
        }
        #expect(Set(hsids).count == 2)
    }

    @Test func `what a change leaves out stays, and id and key stay in any case`() throws {
        let api = try ServerAPI(isHeadless: true)
        let before = try #require(try api.get("/").object)
        _ = try api.ask(.put, "/", ["siteurl": "https://shop.example", "appname": "Shop"])
        let after = try #require(
            try api.ask(.put, "/", ["serverid": "x", "serverpk": "y", "pinTimeout": 3, "appname": ""]).object)
        #expect(after["pinTimeout"] == 3)
        #expect(after["siteurl"] == "https://shop.example")
        #expect(after["appname"] == nil)
        for name in before.keys where name != "pinTimeout" { #expect(after[name] == before[name], "\(name)") }
    }

    @Test(
        arguments: [
            ["pingTime": -1], ["pingTime": "soon"], ["pinTimeout": -2], ["pinTransTimeout": -2],
            ["logo": "no Base64"],
            ["serverName": ""], ["serverFlags": "a"],
        ] as [JSONValue])
    func `a wrong parameter changes nothing`(_ body: JSONValue) throws {
        let api = try ServerAPI(isHeadless: true)
        let before = try api.get("/")
        #expect(api.send(.put, "/", body: body).status == .badRequest)
        #expect(try api.get("/") == before)
    }

    @Test(arguments: ["9223372036854775808", "1e300", "31536001"])
    func `a number that is too large is called so`(_ number: String) throws {
        let api = try ServerAPI(isHeadless: true)
        let refused = api.bench.send(
            .put, "/nextauth/servers/\(Cast.serverID)/", body: Array("{\"pingTime\": \(number)}".utf8),
            headers: ["X-apikey": Cast.apiKey, "Content-Type": "application/json"])
        #expect(refused.status == .badRequest)
        let explanation = api.bench.explanation ?? ""
        #expect(explanation.contains("expected 0 to 31536000"), "\(explanation)")
        #expect(explanation.contains(number == "31536001" ? "is 31536001" : "is too large"), "\(explanation)")
    }

    @Test(arguments: ["//attributes", "/attributes", "/privilegedattributes", "/users/ada/attributes"])
    func `attributes are replaced, merged and removed`(_ path: String) throws {
        let api = try ServerAPI(isHeadless: true)
        func now() -> String { api.send(.get, path).text }
        #expect(now() == "{}")
        _ = try api.ask(.post, path, ["a": 1, "b": ["c": [true, .null]]])
        #expect(now() == #"{"a":1,"b":{"c":[true,null]}}"#)
        _ = try api.ask(.put, path, ["a": "x y", "d": .number(2.5)])
        #expect(now() == #"{"a":"x y","b":{"c":[true,null]},"d":2.5}"#)
        _ = try api.ask(.delete, path + "/b")
        _ = try api.ask(.delete, path + "/never")
        #expect(now() == #"{"a":"x y","d":2.5}"#)
        _ = try api.ask(.post, path, ["e": 3])
        #expect(now() == #"{"e":3}"#)
        _ = try api.ask(.delete, path)
        #expect(now() == "{}")
        for body: JSONValue in [[], "text", 7] {
            #expect(api.send(.post, path, body: body).status == .badRequest)
        }
    }

    @Test func `attributes of one place are no others`() throws {
        let api = try ServerAPI(isHeadless: true)
        let paths = ["//attributes", "/attributes", "/privilegedattributes", "/users/ada/attributes"]
        for path in paths { _ = try api.ask(.post, path, ["path": .string(path)]) }
        for path in paths {
            #expect(try JSONValue(parsing: api.send(.get, path).bytes) == ["path": .string(path)])
        }
        #expect(api.send(.put, "/users/new/attributes", body: [:]).status == .notFound)
        #expect(api.send(.post, "/users/new/attributes", body: [:]).status == .ok)
        #expect(api.send(.put, "/users/new/attributes", body: [:]).status == .ok)
    }

    @Test func `a key is made without permissions, and gets them and loses them`() throws {
        let api = try ServerAPI(isHeadless: true)
        let made = try api.ask(.post, "//apikeys/?description=Shop")
        let (key, role) = (try #require(made["apikey"]?.string), try #require(made["role"]?.string))
        #expect(made["description"] == "Shop")
        #expect(try api.get("//apikeys/") == ["apikeys": [made]])
        #expect(api.send(.get, "/users/", key: key).status == .forbidden)

        let path = "/permissions/" + role.percentEncoded
        _ = try api.ask(.post, path, ["users", "sessions", "users"])
        let grant: JSONValue = [
            "acl": "users,sessions", "role": .string(role), "server": .string(Cast.serverID),
        ]
        #expect(try api.get(path) == ["permissions": [grant]])
        #expect(try api.get("/permissions/") == ["permissions": [grant]])
        #expect(api.send(.get, "/users/", key: key).status == .ok)
        #expect(api.send(.get, "//servers/\(Cast.otherServerID)/users/", key: key).status == .forbidden)

        #expect(api.send(.post, path, body: ["users", "everything"]).status == .badRequest)
        #expect(try api.get(path) == ["permissions": [grant]])
        _ = try api.ask(.delete, path)
        #expect(try api.get(path) == ["permissions": []])
        #expect(api.send(.get, "/users/", key: key).status == .forbidden)
    }

    @Test func `a user's role is made once and goes with the user`() throws {
        let api = try ServerAPI(isHeadless: true)
        let role = try #require(try api.ask(.post, "/users/ada/role/")["role"]?.string)
        #expect(try api.ask(.post, "/users/ada/role") == ["role": .string(role)])
        #expect(try api.get("/users/ada/role/") == ["role": .string(role)])
        _ = try api.ask(.post, "/permissions/\(role)", ["users"])
        #expect(try api.get("/permissions/")["permissions"]?.array?.count == 1)

        _ = try api.ask(.delete, "/users/ada/")
        #expect(try api.get("/permissions/")["permissions"] == [])
        #expect(api.send(.get, "/permissions/\(role)").status == .notFound)
        #expect(api.send(.get, "/accounts/1").status == .notFound)
        let exported = try api.bench.worlds.export(api.bench.world)
        try api.bench.worlds.load(FixtureSet(text: exported, file: "export"), into: api.bench.world)
    }

    @Test func `a user's accounts go and the user stays`() throws {
        let api = try ServerAPI(isHeadless: true)
        #expect(try api.get("/users/ada/accounts")["accounts"]?.array?.first?["id"] == 1)
        _ = try api.ask(.delete, "/users/ada/accounts")
        #expect(try api.get("/users/ada/accounts") == ["accounts": [], "totalnumber": 0])
        #expect(try api.get("/users/")["totalnumber"] == 1)
        #expect(try api.get("/sessions/")["loggedin"] == false)
        let events = try api.device.get("/events?since=0")["events"]?.array ?? []
        #expect(events.contains { $0["type"] == "ACCOUNT_DELETED" && $0["accountid"] == 1 })
    }

    @Test func `a blocked account is logged out, and an account can change its user`() throws {
        let api = try ServerAPI(isHeadless: true)
        #expect(try api.ask(.put, "/accounts/1?blocked=true")["blocked"] == true)
        #expect(try api.get("/sessions/")["loggedin"] == false)
        #expect(try api.get("/sessions/")["canprovoke"] == false)
        #expect(try api.ask(.put, "/accounts/1?blocked=false")["blocked"] == false)
        #expect(try api.get("/sessions/")["canprovoke"] == true)
        #expect(api.send(.put, "/accounts/1?blocked=maybe").status == .badRequest)
        #expect(try api.ask(.put, "/accounts/1/user?userid=grace")["userid"] == "grace")
        #expect(try api.get("/users/grace/accounts")["totalnumber"] == 1)
    }

    @Test func `the picture of a key is the same for the same key alone`() throws {
        let api = try ServerAPI(isHeadless: true)
        let made = try api.ask(.post, "//servers/", ["serverName": "Shop"])
        let id = try #require(made["serverid"]?.string)
        let picture = api.send(.get, "/vash")
        #expect(picture.headers["Content-Type"] == "image/png")
        #expect(api.send(.get, "/vash").bytes == picture.bytes)
        #expect(api.send(.get, "//servers/\(id)/vash").bytes != picture.bytes)
    }
}
