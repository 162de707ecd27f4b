import Essentials
import Sockets

/// The conversation on one connection: commands out, replies in.
struct SMTPSession {
    /// What the server can do besides the minimum, as its answer to EHLO says.
    struct Offers: Sendable, Equatable {
        /// Bytes of mail; 0 where the server names no limit, nil where it does not speak of it.
        var sizeLimit: Int?
        var takesEightBits = false
        var takesUTF8 = false
    }

    /// How this client calls itself.
    static let ownName = "understudy.localhost"
    /// RFC 5321 §4.5.3.1.5 allows replies of 512 bytes a line; servers send more.
    private static let lineLimit = 4096

    let socket: ClientSocket
    private var buffer: [UInt8] = []

    init(socket: ClientSocket) { self.socket = socket }

    /// Waits for the greeting and introduces itself, the old way where the new one is not understood.
    mutating func greet() throws -> Offers {
        try expect(200...299, from: reply(after: "connecting"), to: "connecting")
        let answer = try exchange("EHLO " + Self.ownName)
        if [500, 501, 502, 504, 550].contains(answer.code) {
            try say("HELO " + Self.ownName)
            return Offers()
        }
        try expect(200...299, from: answer, to: "EHLO")
        return offers(in: answer)
    }

    /// - Throws: ``SMTPError/refused(command:code:text:)`` when the answer is not of the expected kind.
    mutating func say(_ command: String, expecting codes: ClosedRange<Int> = 200...299) throws {
        try expect(codes, from: exchange(command), to: command)
    }

    /// Sends the mail itself, behind `DATA`.
    mutating func send(_ data: [UInt8]) throws {
        try socket.write(data)
        try expect(200...299, from: reply(after: "the mail"), to: "the mail")
    }

    private mutating func exchange(_ command: String) throws -> SMTPReply {
        try socket.write(Array((command + "\r\n").utf8))
        return try reply(after: command)
    }

    private mutating func reply(after step: String) throws -> SMTPReply {
        try SMTPReply.read(after: step) { try line() }
    }

    private func expect(_ codes: ClosedRange<Int>, from reply: SMTPReply, to command: String) throws {
        guard codes.contains(reply.code) else {
            throw SMTPError.refused(command: command, code: reply.code, text: reply.text)
        }
    }

    private mutating func line() throws -> String? {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                var line = buffer[..<end]
                if line.last == 0x0D { line.removeLast() }
                buffer.removeSubrange(...end)
                return String(decoding: line, as: UTF8.self)
            }
            guard buffer.count < Self.lineLimit else { throw SMTPError.replyMalformed("an endless line") }
            let piece = try socket.read()
            if piece.isEmpty { return nil }
            buffer += piece
        }
    }

    /// Source: RFC 5321 §4.1.1.1: a keyword on each line but the first.
    private func offers(in reply: SMTPReply) -> Offers {
        var offers = Offers()
        for line in reply.lines.dropFirst() {
            let words = line.split(separator: " ")
            switch words.first?.asciiUppercased {
            case "SIZE": offers.sizeLimit = words.count > 1 ? Int(words[1]) ?? 0 : 0
            case "8BITMIME": offers.takesEightBits = true
            case "SMTPUTF8": offers.takesUTF8 = true
            default: break
            }
        }
        return offers
    }
}
