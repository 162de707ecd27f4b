import Sockets
import Testing

/// A client that sends exactly the bytes it is given, and reads answers by its own simple means.
final class RawClient {
    struct Answer: Equatable {
        var status = 0
        /// Lower-case names.
        var headers: [String: String] = [:]
        var body = ""
    }

    struct Ended: Error {}

    let socket: ClientSocket
    private var buffer: [UInt8] = []

    init(_ socket: ClientSocket) { self.socket = socket }

    func send(_ text: String) throws { try socket.write([UInt8](text.utf8)) }

    /// Sends a GET of `path` and reads its answer.
    func get(_ path: String) throws -> Answer {
        try send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return try answer()
    }

    /// The next answer. One that has neither a length nor chunks ends with the connection.
    func answer(toHead: Bool = false) throws -> Answer {
        var answer = try head()
        if toHead || answer.status < 200 || [204, 304].contains(answer.status) { return answer }
        if answer.headers["transfer-encoding"] == "chunked" {
            while let piece = try chunk() { answer.body += piece }
        } else if let length = answer.headers["content-length"] {
            let count = try #require(Int(length))
            answer.body = text(try take(count))
        } else {
            answer.body = try rest()
        }
        return answer
    }

    /// Status line and fields.
    func head() throws -> Answer {
        let lines = try line(endingIn: "\r\n\r\n").split(separator: "\r\n")
        var answer = Answer()
        let first = try #require(lines.first)
        answer.status = try #require(Int(first.dropFirst(9).prefix(3)))
        for field in lines.dropFirst() {
            let parts = field.split(separator: ":", maxSplits: 1)
            answer.headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        return answer
    }

    /// The next chunk, or `nil` for the last one.
    func chunk() throws -> String? {
        let digits = try line(endingIn: "\r\n")
        let size = try #require(Int(digits, radix: 16))
        let piece = text(try take(size))
        #expect(try take(2) == [13, 10])
        return size == 0 ? nil : piece
    }

    /// Everything up to the end of the connection. Throws when that is a reset.
    func rest() throws -> String {
        while try more() {}
        defer { buffer = [] }
        return text(buffer)
    }

    private func line(endingIn mark: String) throws -> String {
        let mark = [UInt8](mark.utf8)
        while true {
            if let index = buffer.indices.first(where: { buffer[$0...].starts(with: mark) }) {
                let line = text(buffer[..<index])
                buffer.removeFirst(index + mark.count)
                return line
            }
            guard try more() else { throw Ended() }
        }
    }

    func take(_ count: Int) throws -> [UInt8] {
        while buffer.count < count { guard try more() else { throw Ended() } }
        defer { buffer.removeFirst(count) }
        return [UInt8](buffer.prefix(count))
    }

    private func more() throws -> Bool {
        let piece = try socket.read(max: 64 * 1024)
        buffer += piece
        return !piece.isEmpty
    }

    private func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Array(bytes), as: UTF8.self)
    }
}
