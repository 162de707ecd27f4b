import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

@Suite struct ListTests {
    private func api() throws -> ServerAPI {
        let api = try ServerAPI(isHeadless: true)
        for (user, attributes) in [
            ("Bob", ["team": "red", "level": 2]), ("carol", ["team": "blue", "level": 10]),
            ("dan", ["team": "red"]),
        ] as [(String, JSONValue)] {
            _ = try api.ask(.post, "/users/\(user)/attributes/", attributes)
        }
        return api
    }

    @Test(arguments: [
        ("", ["ada", "Bob", "carol", "dan"], 4),
        ("limit=2", ["ada", "Bob"], 4),
        ("limit=2&marker=3", ["dan"], 4),
        ("marker=9", [], 4),
        ("limit=0", [], 4),
        ("sort=userid:desc", ["dan", "carol", "ada", "Bob"], 4),
        ("sort=numberaccounts:desc,userid", ["ada", "Bob", "carol", "dan"], 4),
        ("sort=numberaccounts,userid:desc&limit=1", ["dan"], 4),
        ("filter=team=red", ["Bob", "dan"], 2),
        ("filter=team%3Dred&limit=1", ["Bob"], 2),
        ("filter=team=in:red,blue&sort=userid:desc", ["dan", "carol", "Bob"], 3),
        ("filter=level=10", ["carol"], 1),
        ("filter=team=red&filter=level=2", ["Bob"], 1),
        ("filter=numberaccounts=1", ["ada"], 1),
        ("filter=hat=red", [], 0),
        ("search=a", ["ada", "carol", "dan"], 3),
        ("search=BO", ["Bob"], 1),
    ])
    func `users are filtered, searched, sorted and cut`(_ query: String, _ ids: [String], _ total: Int) throws
    {
        let list = try api().get("/users/?" + query)
        #expect(list["users"]?.array?.compactMap { $0["userid"]?.string } == ids)
        #expect(list["totalnumber"]?.integer == total)
    }

    @Test(arguments: [
        "limit=-1", "limit=x", "marker=-1", "marker=1.5", "sort=color", "sort=userid:up", "sort=userid:asc:x",
        "filter=team", "filter==red",
    ])
    func `what cannot be listed so is refused`(_ query: String) throws {
        let api = try ServerAPI(isHeadless: true)
        let refused = api.send(.get, "/users/?" + query)
        #expect(refused.status == .badRequest)
        #expect(refused.text == ServerAPI.refusal("bad_request", "The request is malformed"))
        let told = query.split(separator: "=").last.map(String.init) ?? ""
        #expect(api.bench.explanation?.contains(told) == true)
    }

    @Test func `more than 256 bytes are not searched for`() throws {
        let api = try ServerAPI(isHeadless: true)
        #expect(api.send(.get, "/users/?search=" + String(repeating: "a", count: 256)).status == .ok)
        let refused = api.send(.get, "/users/?search=" + String(repeating: "a", count: 257))
        #expect(refused.status == .badRequest)
        #expect(
            api.bench.explanation
                == "The parameter “search” must be a text of at most 256 bytes, but is one of 257 bytes.")
    }

    @Test func `accounts are filtered by what they show and by their user's attributes`() throws {
        let api = try ServerAPI(isHeadless: true)
        _ = try api.ask(.put, "/users/ada/attributes/", ["team": "red"])
        for (query, total) in [
            ("filter=team=red", 1), ("filter=team=blue", 0), ("filter=userid=ada", 1),
            ("filter=blocked=true", 0),
            ("filter=blocked=false&sort=created:desc", 1),
        ] {
            #expect(try api.get("/accounts/?" + query)["totalnumber"]?.integer == total, "\(query)")
        }
        #expect(api.send(.get, "/accounts/?sort=numberaccounts").status == .badRequest)
    }

    @Test func `servers are those that the key may see`() throws {
        let api = try ServerAPI(isHeadless: true)
        let whole = try api.get("//servers/")
        #expect(whole["totalnumber"] == 2)
        let page = try api.get("//servers/?limit=1&marker=1")
        #expect(page["servers"]?.array?.compactMap { $0["serverName"]?.string } == ["Other"])
        #expect(page["totalnumber"] == 2)
        let narrow = api.send(.get, "//servers/", key: try api.key([.servers], on: Cast.serverID))
        let seen = try narrow.json(JSONValue.self)["servers"]?.array ?? []
        #expect(seen.compactMap { $0["serverid"]?.string } == [Cast.serverID])
        #expect(seen.first?["accountCount"] == 1)
    }
}
