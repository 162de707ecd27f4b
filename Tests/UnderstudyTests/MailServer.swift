#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Sockets
import Synchronization

/// A mail server of one conversation: it says its lines, and remembers what it heard.
///
/// Blocking sockets of the system, so that nothing of ours is on its side of the wire.
final class MailServer: Sendable {
    /// What the server answers to a line that begins so; the mail itself is asked for by `.`.
    typealias Script = [(line: String, answer: String)]

    static let friendly: Script = [
        ("", "220 mail.example ESMTP"),
        ("EHLO", "250-mail.example\r\n250-8BITMIME\r\n250 SIZE 100000"),
        ("HELO", "250 mail.example"), ("MAIL", "250 OK"), ("RCPT", "250 OK"), ("DATA", "354 go on"),
        (".", "250 queued"), ("QUIT", "221 bye"),
    ]

    let port: Int
    private let lines: Lines
    private let thread: Thread

    /// Every line that came, without its end; complete once the conversation has ended.
    var heard: [String] {
        thread.join()
        return lines.all
    }

    /// - Parameters:
    ///   - changes: answers that differ from those of a friendly server; an empty one closes the connection.
    init(_ changes: [String: String] = [:]) throws {
        let script = Self.friendly.map { (line: $0.line, answer: changes[$0.line] ?? $0.answer) }
        let (listener, port) = Self.listen()
        self.port = port
        let lines = Lines()
        self.lines = lines
        thread = try Thread {
            let connection = accept(listener, nil, nil)
            Self.talk(connection, script, lines)
            close(connection)
            close(listener)
        }
    }

    private static func talk(_ connection: Int32, _ script: Script, _ lines: Lines) {
        guard say(connection, script[0].answer) else { return }
        var line: [UInt8] = []
        var isMail = false
        var byte: UInt8 = 0
        while read(connection, &byte, 1) == 1 {
            line.append(byte)
            guard line.suffix(2) == [13, 10] else { continue }
            let text = String(decoding: line.dropLast(2), as: UTF8.self)
            line = []
            lines.add(text)
            if isMail, text != "." { continue }
            let answer = script.dropFirst().first { text.hasPrefix($0.line) }?.answer ?? "500 what?"
            isMail = answer.hasPrefix("354")
            guard say(connection, answer), !answer.hasPrefix("221") else { return }
        }
    }

    private static func say(_ connection: Int32, _ answer: String) -> Bool {
        let bytes = Array((answer + "\r\n").utf8)
        return !answer.isEmpty && write(connection, bytes, bytes.count) == bytes.count
    }

    private static func listen() -> (descriptor: Int32, port: Int) {
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = bind(descriptor, pointer, length)
                _ = startListening(descriptor)
                _ = getsockname(descriptor, pointer, &length)
            }
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }
}

private func startListening(_ descriptor: Int32) -> Int32 { listen(descriptor, 4) }

private final class Lines: Sendable {
    private let state = Mutex<[String]>([])
    var all: [String] { state.withLock { $0 } }
    func add(_ line: String) { state.withLock { $0.append(line) } }
}
