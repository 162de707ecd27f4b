import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

@Suite struct SessionTests {
    @Test func `a nonce that was never seen is nobody's, and its session id stays the same`() throws {
        let api = try ServerAPI()
        let fresh = try api.get("/sessions/", nonce: "fresh")
        #expect(Set(try #require(fresh.object).keys) == ["loggedin", "canprovoke", "hsid", "loginqrdata"])
        #expect(fresh["loggedin"] == false)
        #expect(fresh["canprovoke"] == false)
        #expect(Base64URL.decode(try #require(fresh["hsid"]?.string))?.count == 32)
        #expect(try api.get("/sessions/", nonce: "fresh") == fresh)
        #expect(try api.get("/sessions/", nonce: "other")["hsid"] != fresh["hsid"])
    }

    @Test func `a login and a logout show`() throws {
        let api = try ServerAPI()
        try api.logIn("browser")
        let login = try api.get("/sessions/", nonce: "browser")
        #expect(login["loggedin"] == true)
        #expect(login["canprovoke"] == false)
        #expect(login["userid"] == "ada")
        #expect(login["accountid"] == 1)
        let key = try PublicKey(der: try #require(Base64.decode(login["pk"]?.string ?? "")))
        #expect(key == api.device.keys[1]?.publicKey)

        #expect(try api.ask(.post, "/sessions/logout", nonce: "browser").isNull)
        let logout = try api.get("/sessions/", nonce: "browser")
        #expect(logout["loggedin"] == false)
        #expect(logout["canprovoke"] == true)
        #expect(logout["userid"] == nil)
        #expect(logout["hsid"] == login["hsid"])
        let events = try api.device.get("/events?since=0")["events"]?.array ?? []
        #expect(events.contains { $0["type"] == "SESSION_STOP" && $0["reason"] == "SERVER_LOGOUT" })
    }

    @Test func `the login code is the same bytes everywhere`() throws {
        let api = try ServerAPI()
        let text = api.send(.get, "/sessions/qr/login", nonce: "n").text
        let hsid = try api.hsid("n")
        #expect(text == "na1;L;http://localhost:8420/nextauth;AAAAAAAAAAAAAAAAAAAAAQ;\(hsid)")
        let data = try api.get("/sessions/", nonce: "n")["loginqrdata"]?.string
        #expect(data == Base64.encode(Array(text.utf8)))
    }

    @Test func `the context of a code is what the app shows`() throws {
        let api = try ServerAPI()
        let context: JSONValue = [
            "announceinfo": ["ip": "192.0.2.1", "info": ["city": "Leuven"]],
            "sessioninfo": ["useragent": "Test"],
        ]
        for method in [Request.Method.get, .post] {
            let nonce = "with \(method.rawValue)"
            let code = api.send(method, "/sessions/qr/login", body: context, nonce: nonce).text
            let flow = try api.device.start(["type": "LOGIN", "data": .string(code)])
            #expect(flow.interaction?["announceinfo"] == context["announceinfo"])
            #expect(flow.interaction?["sessioninfo"] == context["sessioninfo"])
        }
        for wrong: JSONValue in [["announceinfo": "text"], ["sessioninfo": []]] {
            #expect(api.send(.get, "/sessions/qr/login", body: wrong).status == .badRequest)
        }
    }

    @Test(arguments: [(nil, 500), ("1", 49), ("200", 200), ("4096", 4096)])
    func `an image has the wanted edge`(_ edge: String?, _ pixels: Int) throws {
        let api = try ServerAPI()
        let path = "/sessions/qr/login?img=png" + (edge.map { "&s=\($0)" } ?? "")
        let image = api.send(.get, path)
        #expect(image.headers["Content-Type"] == "image/png")
        // PNG: eight bytes of signature, eight of the first chunk's head, then width and height.
        let size = image.bytes.dropFirst(16).prefix(8).map(Int.init)
        #expect(size.prefix(4).reduce(0) { $0 << 8 | $1 } >= pixels)
        #expect(edge == "1" || size.prefix(4).reduce(0) { $0 << 8 | $1 } == pixels)
        #expect(size.prefix(4) == size.suffix(4).map { $0 }[...])
    }

    @Test(arguments: ["img=jpg", "img=png&s=0", "img=png&s=4097", "img=png&s=big", "s=-1"])
    func `an image that cannot be made is refused`(_ query: String) throws {
        let refused = try ServerAPI().send(.get, "/sessions/qr/login?" + query)
        #expect(refused.status == .badRequest)
        #expect(refused.text == ServerAPI.refusal("bad_request", "The request is malformed"))
    }

    @Test func `an enrolment with a user belongs to that user at once`() throws {
        var api = try ServerAPI()
        let code = api.send(.get, "/sessions/qr/enrol?name=grace@phone&userid=grace", nonce: "grace").text
        try api.device.enrol(code)
        #expect(try api.get("/sessions/", nonce: "grace")["userid"] == "grace")
        #expect(try api.get("/users/grace/accounts")["totalnumber"] == 1)

        let again = try api.device.post("/flows", ["type": "ENROL", "data": .string(code)])
        #expect(again["code"] == "CODE_USED")
    }

    @Test func `an enrolment without a user is given to one by the back end`() throws {
        var api = try ServerAPI()
        let code = api.send(.get, "/sessions/qr/enrol?name=new", nonce: "new").text
        try api.device.enrol(code)
        #expect(try api.get("/sessions/", nonce: "new")["userid"] == nil)

        #expect(api.send(.post, "/sessions/registeruser?userid=grace", nonce: "new").status == .ok)
        #expect(try api.get("/sessions/", nonce: "new")["userid"] == "grace")
        let events = try api.device.get("/events?since=0")["events"]?.array ?? []
        #expect(events.contains { $0["type"] == "ACCOUNT_UPDATED" && $0["userid"] == "grace" })
    }

    @Test func `a changed ping time is the next session's`() throws {
        let api = try ServerAPI()
        try api.logIn("before")
        #expect(try api.ask(.put, "/", ["pingTime": 10])["pingTime"] == 10)
        let after = try api.logIn("after")
        #expect(after.session?["pingTime"] == 10)

        api.bench.time.advance(seconds: 13)
        #expect(try api.get("/sessions/", nonce: "after")["loggedin"] == false)
        #expect(try api.get("/sessions/", nonce: "before")["loggedin"] == true)
        let events = try api.device.get("/events?since=0")["events"]?.array ?? []
        #expect(events.contains { $0["type"] == "SERVER_UPDATED" })
    }

    @Test func `a push goes to who was logged in last`() throws {
        let api = try ServerAPI()
        try api.logIn("browser")
        let early = api.send(.post, "/sessions/provokelogin", nonce: "browser")
        #expect(early.status == .forbidden)
        #expect(api.bench.explanation == "The session is logged in already.")

        _ = try api.ask(.post, "/sessions/logout", nonce: "browser")
        let context: JSONValue = ["announceinfo": ["ip": "192.0.2.9"]]
        _ = try api.ask(.post, "/sessions/provokelogin", context, nonce: "browser")
        let messages = try api.device.get("/messages").array ?? []
        let push = try #require(messages.first { $0["type"] == "LOGIN" })
        #expect(push["announceinfo"] == context["announceinfo"])
        #expect(push["hsid"]?.string == (try api.hsid("browser")))
        #expect(try api.get("/accounts/1")["lastprovoke"]?.integer == api.bench.world.clock.now.unixSeconds)

        let flow = try api.device.start(["type": "LOGIN", "messageid": push["messageid"] ?? .null])
        _ = try api.device.step("secondfactor", flow, api.device.factor(flow, 1))
        #expect(try api.get("/sessions/", nonce: "browser")["loggedin"] == true)
    }

    @Test(arguments: ["/users/ada/provokelogin", "/accounts/1/provokelogin"])
    func `a push to a user or an account logs any session in`(_ path: String) throws {
        let api = try ServerAPI()
        _ = try api.ask(.post, path, nonce: "anywhere")
        let push = try #require(try api.device.get("/messages").array?.first { $0["type"] == "LOGIN" })
        #expect(push["hsid"]?.string == (try api.hsid("anywhere")))

        #expect(try api.ask(.put, "/accounts/1?blocked=true")["blocked"] == true)
        let refused = api.send(.post, path, nonce: "anywhere")
        #expect(refused.status == .forbidden)
        #expect(
            refused.text == ServerAPI.refusal("forbidden", "A login cannot be pushed on this session"))
    }

    @Test(arguments: [(true, "1"), (false, "2")])
    func `a transaction is approved or declined on the device`(_ approves: Bool, _ status: String) throws {
        let api = try ServerAPI()
        let order: JSONValue = ["amount": "12 EUR", "benificiary": "Bob", "description": "Lunch"]
        let id = try #require(try api.ask(.post, "/sessions/transactions", order)["tid"]?.string)
        #expect(try api.get("/transactions/\(id)") == ["tstatus": "0"])

        let push = try #require(try api.device.get("/messages").array?.first { $0["type"] == "TRANSACTION" })
        let flow = try api.device.start(["type": "TRANSACTION", "messageid": push["messageid"] ?? .null])
        #expect(flow.interaction?["transaction"]?["benificiary"] == "Bob")
        let approval: JSONValue = [
            "approve": .boolean(approves),
            "signature": .string(try api.device.sign(flow, 1, approve: approves ? "1" : "0")),
        ]
        let next = try api.device.step("confirm", flow, approval)
        if approves {
            _ = try api.device.step(
                "secondfactor", next, ["pinproof": .string(try api.device.pinProof(next.challenge))])
        }
        #expect(try api.get("/transactions/\(id)") == ["tstatus": .string(status)])
    }
}
