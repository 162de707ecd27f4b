import Essentials
import Sockets
import Testing

struct ListenerTests {
    private func path() -> String {
        FileManager.default.temporaryDirectory.appending(path: "s-\(UUID().uuidString)").path
    }

    @Test func `a port is taken once`() throws {
        let listener = try #require(Listener.open(.tcp(host: "127.0.0.1", port: 0)).first)
        defer { listener.close() }
        guard case .tcp(_, let port) = listener.bound else { return #expect(Bool(false)) }

        let error = #expect(throws: SocketError.self) {
            try Listener.open(.tcp(host: "localhost", port: port))
        }

        #expect(error?.reason == .addressInUse)
        #expect(error?.message == "localhost:\(port): Address already in use")
    }

    @Test func `an address of another machine cannot be listened at`() {
        // RFC 5737: an address for documents only.
        #expect(throws: SocketError.self) { try Listener.open(.tcp(host: "192.0.2.1", port: 0)) }
    }

    @Test func `a socket file that a dead server left is replaced, one in use is not`() throws {
        let path = path()
        let dead = try #require(Listener.open(.unix(path: path)).first)
        dead.socket.close()
        #expect(FileManager.default.fileExists(atPath: path))

        let living = try #require(Listener.open(.unix(path: path)).first)
        let error = #expect(throws: SocketError.self) { try Listener.open(.unix(path: path)) }

        #expect(error?.reason == .addressInUse)
        #expect(throws: Never.self) { try ClientSocket.connect(unix: path) }
        living.close()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a file that is no socket is left alone`() throws {
        let path = path()
        try Data("precious".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }

        #expect(throws: SocketError.self) { try Listener.open(.unix(path: path)) }

        #expect(try Data(contentsOf: URL(filePath: path)) == Data("precious".utf8))
    }

    @Test(arguments: ["", String(repeating: "x", count: 200)])
    func `a path that does not fit is an error`(path: String) {
        #expect(throws: SocketError.self) { try Listener.open(.unix(path: path)) }
    }
}
