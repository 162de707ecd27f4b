/// What a mail server answers. Source: RFC 5321 §4.2.
struct SMTPReply: Sendable, Equatable {
    let code: Int
    /// The text of each line.
    let lines: [String]

    var text: String { lines.joined(separator: " / ") }

    /// Reads the next reply, of one line or many.
    ///
    /// - Parameter line: the next line without its end, or nil when the connection has ended.
    /// - Throws: ``SMTPError``
    static func read(after step: String, _ line: () throws -> String?) throws -> SMTPReply {
        var code: Int?
        var lines: [String] = []
        while lines.count < 100 {
            guard let text = try line() else { throw SMTPError.closed(after: step) }
            let (number, isLast, rest) = try parts(of: text)
            guard code == nil || code == number else { throw malformed(text) }
            code = number
            lines.append(rest)
            if isLast { return SMTPReply(code: number, lines: lines) }
        }
        throw SMTPError.replyMalformed("more than 100 lines")
    }

    /// `250-SIZE 1000` and `250 OK`; a bare `250` is accepted too (§4.2).
    private static func parts(of line: String) throws -> (code: Int, isLast: Bool, text: String) {
        let digits = line.utf8.prefix(3)
        let rest = line.dropFirst(3)
        guard line.utf8.count >= 3, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let code = Int(line.prefix(3)), (200...599).contains(code),
            rest.isEmpty || rest.hasPrefix(" ") || rest.hasPrefix("-")
        else { throw malformed(line) }
        return (code, !rest.hasPrefix("-"), Columns.plain(String(rest.dropFirst())))
    }

    private static func malformed(_ line: String) -> SMTPError {
        .replyMalformed(Columns.plain(String(line.prefix(80))))
    }
}
