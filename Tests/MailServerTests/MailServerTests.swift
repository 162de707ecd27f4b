import Essentials
import Mail
import Sockets
import Synchronization
import Testing

@testable import MailServer

/// Keeps what it is given.
final class Tray: MailReceiver {
    private let kept = Mutex<[(mail: String, envelope: Envelope)]>([])
    private let told = Mutex<[MailFault]>([])

    var mails: [String] { kept.withLock { $0.map(\.mail) } }
    var envelopes: [Envelope] { kept.withLock { $0.map(\.envelope) } }
    var faults: [MailFault] { told.withLock { $0 } }

    func take(_ mail: [UInt8], _ envelope: Envelope, from client: MailClient) -> Result<String, MailFault> {
        kept.withLock { kept in
            kept.append((String(decoding: mail, as: UTF8.self), envelope))
            return .success("\(kept.count)")
        }
    }

    func note(_ fault: MailFault, _ envelope: Envelope, from client: MailClient) {
        told.withLock { $0.append(fault) }
    }
}

/// A server on a free port, and clients of it.
struct MailHouse {
    let tray = Tray()
    let server: MailServer
    let port: Int

    init(memory: Int = 256 << 20, _ change: (inout MailLimits) -> Void = { _ in }) throws {
        var limits = MailLimits()
        change(&limits)
        server = MailServer(
            limits: limits, memory: MemoryBudget(most: memory), tls: nil, receiver: tray)
        let bound = try server.start(on: [.tcp(host: "127.0.0.1", port: 0)])
        guard case .tcp(_, let port) = bound.first else { throw Missing() }
        self.port = port
    }

    struct Missing: Error {}

    func connect() throws -> Caller {
        try Caller(ClientSocket.connect(host: "127.0.0.1", port: port, timeout: 20))
    }
}

struct Caller {
    private let socket: ClientSocket
    private var rest: [UInt8] = []

    init(_ socket: ClientSocket) { self.socket = socket }

    func send(_ text: String) throws { try socket.write(Array(text.utf8)) }
    func close() { socket.close() }

    /// The next line; nil when the server has closed.
    mutating func line() throws -> String? {
        while true {
            if let end = rest.firstIndex(of: 10) {
                defer { rest.removeSubrange(...end) }
                return String(decoding: rest[..<end].dropLast(), as: UTF8.self)
            }
            let more = try socket.read()
            if more.isEmpty { return nil }
            rest += more
        }
    }

    /// The last line of the next reply.
    mutating func reply() throws -> String? {
        while let line = try line() {
            if line.utf8.count < 4 || Array(line.utf8)[3] != UInt8(ascii: "-") { return line }
        }
        return nil
    }

    /// Greeting, EHLO and up to DATA.
    mutating func beginMail() throws {
        try send("EHLO client.example\r\n")
        _ = try reply()
        _ = try reply()
        try send("MAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n")
        for _ in 0..<3 { _ = try reply() }
    }
}

@Suite struct MailServerTests {
    @Test func `mails are taken one after the other, also when they come in one piece`() throws {
        let house = try MailHouse()
        defer { house.server.stop(grace: 0) }
        var caller = try house.connect()
        try caller.beginMail()
        for number in 1...200 {
            try caller.send(
                "mail \(number)\r\n.\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n")
            #expect(try caller.reply() == "250 2.0.0 ok, \(number)")
            for _ in 0..<3 { _ = try caller.reply() }
        }
        #expect(house.tray.mails == (1...200).map { "mail \($0)\r\n" })
    }

    @Test func `many clients that say nothing, or a byte now and then, hold up nobody`() throws {
        let house = try MailHouse()
        defer { house.server.stop(grace: 0) }
        var slow = try (0..<100).map { _ in try house.connect() }
        for index in slow.indices {
            _ = try slow[index].reply()
            try slow[index].send(index.isMultiple(of: 2) ? "EHL" : "EHLO x\r\nMAIL FROM:<a@exam")
        }
        for number in 1...20 {
            var quick = try house.connect()
            try quick.beginMail()
            try quick.send("hi\r\n.\r\nQUIT\r\n")
            #expect(try quick.reply() == "250 2.0.0 ok, \(number)")
            #expect(try quick.reply()?.hasPrefix("221 ") == true)
            #expect(try quick.reply() == nil)
        }
        // The slow ones are served as well.
        try slow[0].send("O x\r\n")
        #expect(try slow[0].reply() == "250 HELP")
    }

    @Test func `a large mail in small pieces comes whole`() throws {
        let house = try MailHouse()
        defer { house.server.stop(grace: 0) }
        var caller = try house.connect()
        try caller.beginMail()
        let line = String(repeating: "x", count: 990) + "\r\n"
        for _ in 0..<2000 { try caller.send(line) }
        try caller.send(".\r\n")
        #expect(try caller.reply() == "250 2.0.0 ok, 1")
        #expect(house.tray.mails.first?.utf8.count == 2000 * 992)
    }

    @Test func `a client that says nothing, and one that goes silent in a mail, are told so and left`() throws
    {
        let house = try MailHouse { ($0.commandSeconds, $0.dataSeconds) = (0.2, 0.2) }
        defer { house.server.stop(grace: 0) }
        var idle = try house.connect()
        #expect(try idle.reply()?.hasPrefix("220 ") == true)
        #expect(try idle.reply()?.hasPrefix("421 4.4.2 no command") == true)
        #expect(try idle.reply() == nil)
        var half = try house.connect()
        try half.beginMail()
        try half.send("Subject: half\r\n")
        #expect(try half.reply()?.hasPrefix("421 4.4.2 nothing came") == true)
        #expect(try half.reply() == nil)
        #expect(house.tray.mails.isEmpty && house.tray.faults.map(\.code) == [421, 421])
    }

    @Test func `a connection too many is told so, and there is room again when one has gone`() throws {
        let house = try MailHouse { $0.connections = 2 }
        defer { house.server.stop(grace: 0) }
        var (one, two) = (try house.connect(), try house.connect())
        _ = try (one.reply(), two.reply())
        var three = try house.connect()
        #expect(try three.reply()?.hasPrefix("421 4.7.0 ") == true)
        #expect(try three.reply() == nil)
        three.close()
        try one.send("QUIT\r\n")
        while try one.reply() != nil {}
        one.close()
        var four = try house.connect()
        // The place of the one that left is free once the server has seen the end.
        while try four.reply()?.hasPrefix("421") == true { four = try house.connect() }
        try four.send("NOOP\r\n")
        #expect(try four.reply() == "250 2.0.0 ok")
    }

    @Test func `mails that take too much memory together are refused for now`() throws {
        let house = try MailHouse(memory: 100_000)
        defer { house.server.stop(grace: 0) }
        var caller = try house.connect()
        try caller.beginMail()
        // The server closes while this is written.
        try? caller.send(String(repeating: String(repeating: "x", count: 98) + "\r\n", count: 1500))
        #expect(try caller.reply()?.hasPrefix("452 4.3.1 ") == true)
        var next = try house.connect()
        try next.beginMail()
        try next.send("small\r\n.\r\n")
        #expect(try next.reply() == "250 2.0.0 ok, 1")
    }

    @Test func `a mail is booked with its copies while it is handled, and is refused when they do not fit`()
        throws
    {
        let house = try MailHouse(memory: 300_000)
        defer { house.server.stop(grace: 0) }
        let line = String(repeating: "x", count: 98) + "\r\n"
        var caller = try house.connect()
        try caller.beginMail()
        // 80,000 bytes come in, but five times as much is more than there is.
        try caller.send(String(repeating: line, count: 800) + ".\r\n")
        #expect(try caller.reply()?.hasPrefix("452 4.3.1 ") == true)
        var next = try house.connect()
        try next.beginMail()
        try next.send(String(repeating: line, count: 500) + ".\r\n")
        #expect(try next.reply() == "250 2.0.0 ok, 1")
        #expect(house.tray.mails.map(\.utf8.count) == [50_000])
    }

    @Test func `a stop lets a mail that has begun be finished, and tells the others`() throws {
        let house = try MailHouse()
        var (idle, busy) = (try house.connect(), try house.connect())
        _ = try idle.reply()
        try busy.beginMail()
        let stopping = try Thread { house.server.stop(grace: 20) }
        #expect(try idle.reply()?.hasPrefix("421 4.3.2 ") == true)
        #expect(try idle.reply() == nil)
        idle.close()
        try busy.send("in time\r\n.\r\n")
        #expect(try busy.reply() == "250 2.0.0 ok, 1")
        #expect(try busy.reply()?.hasPrefix("421 4.3.2 ") == true)
        busy.close()
        stopping.join()
        #expect(house.tray.mails == ["in time\r\n"])
        #expect(throws: SocketError.self) { try house.connect() }
    }

    @Test func `a stop does not wait longer than it is told to`() throws {
        let house = try MailHouse()
        var busy = try house.connect()
        try busy.beginMail()
        house.server.stop(grace: 0.1)
        #expect(try busy.reply() == nil)
    }
}
