import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import NextAuth

@Suite struct WebSocketTests {
    @Test(arguments: ["/ws", "/ns/sigmai"])
    func `whoever registers is told the state at once, and each change`(_ path: String) throws {
        let api = try ServerAPI()
        let socket = try api.webSocket(path)
        socket.send(try api.message("REGISTER", "browser"))
        #expect(socket.received == [try api.message("LOGOUT", "browser")])

        try api.logIn("browser")
        _ = try api.ask(.post, "/sessions/logout", nonce: "browser")
        #expect(
            socket.received
                == (try ["LOGOUT", "CONFIRMSCAN", "LOGIN", "LOGOUT", "CANPROVOKE"].map {
                    try api.message($0, "browser")
                }))
        let later = try api.webSocket(path)
        later.send(try api.message("REGISTER", "browser"))
        #expect(later.received == (try ["LOGOUT", "CANPROVOKE"].map { try api.message($0, "browser") }))
        later.send(try api.message("REGISTER", ServerAPI.nonce))
        #expect(later.received.last == (try api.message("LOGIN", ServerAPI.nonce)))
    }

    @Test func `a page pushes, and is told what becomes of it`() throws {
        let api = try ServerAPI()
        try api.logIn("browser")
        let socket = try api.webSocket()
        socket.send(try api.message("REGISTER", "browser"))
        socket.send(try api.message("LOGOUT", "browser"))
        #expect(try api.get("/sessions/", nonce: "browser")["loggedin"] == false)

        socket.send(try api.message("PROVOKE", "browser"))
        let push = try #require(try api.device.get("/messages").array?.first { $0["type"] == "LOGIN" })
        let id = try #require(push["messageid"]?.string)
        _ = try api.device.post("/messages/\(id)/read")
        let flow = try api.device.start(["type": "LOGIN", "messageid": .string(id)])
        _ = try api.device.step("cancel", flow)
        let types = socket.received.map { $0.prefix { $0 != " " } }
        #expect(types.starts(with: ["LOGIN", "LOGOUT", "CANPROVOKE", "CONFIRMPROVOKE"]))
        #expect(types.last == "CANCEL")
    }

    @Test func `a scan by an app without an account is told`() throws {
        let api = try ServerAPI()
        let socket = try api.webSocket()
        socket.send(try api.message("REGISTER", "browser"))
        let code = api.send(.get, "/sessions/qr/login", nonce: "browser").text
        let stranger = try Device(api.bench)
        #expect(try stranger.post("/flows", ["type": "LOGIN", "data": .string(code)])["number"] == 34)
        #expect(socket.received.last == (try api.message("NOACCOUNTS", "browser")))
    }

    @Test func `a missed ping is told to who watches`() throws {
        let api = try ServerAPI()
        let socket = try api.webSocket()
        socket.send(try api.message("REGISTER", ServerAPI.nonce))
        #expect(socket.received == [try api.message("LOGIN", ServerAPI.nonce)])
        api.bench.time.advance(seconds: 303)
        // Whatever looks at the state next; on a server the world's own look once a second.
        _ = try api.get("/sessions/", nonce: "somebody else's")
        #expect(socket.received.dropFirst().first == (try api.message("LOGOUT", ServerAPI.nonce)))
    }

    @Test func `what is not asked for is not told`() throws {
        let api = try ServerAPI()
        let (one, other) = (try api.webSocket(), try api.webSocket())
        one.send(try api.message("REGISTER", "one"))
        other.send(try api.message("REGISTER", "other"))
        try api.logIn("one")
        #expect(one.received.count == 3)
        #expect(other.received == [try api.message("LOGOUT", "other")])

        one.close()
        _ = try api.ask(.post, "/sessions/logout", nonce: "one")
        #expect(one.received.count == 3)
    }

    @Test func `registering twice tells the state twice and each change once`() throws {
        let api = try ServerAPI()
        let socket = try api.webSocket()
        for _ in 1...2 { socket.send(try api.message("REGISTER", "browser")) }
        try api.logIn("browser")
        #expect(
            socket.received
                == (try ["LOGOUT", "LOGOUT", "CONFIRMSCAN", "LOGIN"].map { try api.message($0, "browser") }))
    }

    @Test(arguments: [
        "", "HELLO", "REGISTER", "REGISTER x y", "register A B", "REGISTER  ",
        "REGISTER AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA CCCCCCCCCCCCCCCCCCCCCA",
        "PROVOKE AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA AAAAAAAAAAAAAAAAAAAAAQ",
    ])
    func `what makes no sense is ignored, and explained`(_ text: String) throws {
        let api = try ServerAPI()
        let socket = try api.webSocket()
        socket.send(text)
        #expect(socket.received.isEmpty)
        #expect(socket.ended == nil)
        #expect(api.bench.journal.contains { $0.event == "web socket message ignored" })
        #expect(api.bench.misshapenExplanations == [])
    }

    @Test func `a hundred sessions on one socket are told, one more closes it`() throws {
        let api = try ServerAPI(isHeadless: true)
        let socket = try api.webSocket()
        for number in 1...100 { socket.send(try api.message("REGISTER", "\(number)")) }
        #expect(socket.received.count == 100)
        // One of those again is none more.
        socket.send(try api.message("REGISTER", "7"))
        #expect(socket.ended == nil)
        socket.send(try api.message("REGISTER", "101"))
        #expect(socket.ended?.code == .policyViolation)
        #expect(socket.received.count == 101)
    }

    @Test func `a world that is put back tells its watchers what is true then`() throws {
        let api = try ServerAPI()
        let socket = try api.webSocket()
        socket.send(try api.message("REGISTER", "browser"))
        let image = try api.bench.world.database.image()
        try api.logIn("browser")
        #expect(socket.received.last == (try api.message("LOGIN", "browser")))

        try api.bench.world.database.restore(image)
        api.bench.world.services.changes.ring()
        #expect(socket.received.last == (try api.message("LOGOUT", "browser")))
    }
}
