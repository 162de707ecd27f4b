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
