import Essentials
import HTTP
import HTTPServer
import Sockets
import Testing

struct AddressTests {
    @Test func `localhost is reached over IPv4 and IPv6 at one port`() throws {
        let server = try TestServer(on: [.tcp(host: "localhost", port: 0)]) { .text($0.peer.address) }

        #expect(server.bound.first == .tcp(host: "127.0.0.1", port: server.port))
        #expect(try server.client().get("/").body == "127.0.0.1")
        // A machine without IPv6 has one address only.
        if server.bound.count == 2 {
            #expect(server.bound[1] == .tcp(host: "::1", port: server.port))
            let client = RawClient(try ClientSocket.connect(host: "::1", port: server.port))
            #expect(try client.get("/").body == "::1")
        }
    }

    @Test func `a request says by which door it came`() throws {
        let doors = ["app", "blue/hanko"].map { Door($0, at: .tcp(host: "127.0.0.1", port: 0)) }
        let server = try TestServer(doors: doors) { .text("\($0.peer.door ?? "main")") }

        #expect(try server.client().get("/").body == "main")
        for door in doors {
            let port = try #require(server.doorPorts[door.name])
            let client = RawClient(try ClientSocket.connect(host: "127.0.0.1", port: port))
            #expect(try client.get("/").body == door.name)
        }
        #expect(server.bound.count == 1)
    }

    @Test func `a door that is taken is an error, and nothing stays open`() throws {
        let first = try TestServer()
        let path = FileManager.default.temporaryDirectory.appending(path: "u-\(UUID().uuidString)").path
        let error = #expect(throws: SocketError.self) {
            try TestServer(
                on: [.unix(path: path)], doors: [Door("app", at: .tcp(host: "127.0.0.1", port: first.port))])
        }
        #expect(error?.reason == .addressInUse)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a Unix socket is served beside TCP and its file goes at the end`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "u-\(UUID().uuidString)").path
        let server = try TestServer(on: [.tcp(host: "127.0.0.1", port: 0), .unix(path: path)]) { request in
            .text("\(request.peer.address) \(request.peer.isLoopback)")
        }

        #expect(server.bound.last == .unix(path: path))
        #expect(try RawClient(ClientSocket.connect(unix: path)).get("/").body == "unix true")
        #expect(try server.client().get("/").body == "127.0.0.1 true")
        server.server.stop(grace: 1)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a port in use is an error that names it, and nothing stays open`() throws {
        let first = try TestServer()
        let path = FileManager.default.temporaryDirectory.appending(path: "u-\(UUID().uuidString)").path

        let error = #expect(throws: SocketError.self) {
            try TestServer(on: [.unix(path: path), .tcp(host: "127.0.0.1", port: first.port)])
        }

        #expect(error?.reason == .addressInUse)
        #expect(error?.message.contains("127.0.0.1:\(first.port)") == true)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
