import Essentials
import HTTP
import HTTPClient

/// `journal`: what happened in a world, in the terminal.
enum JournalCommand {
    private struct Entry: Decodable {
        struct Exchange: Decodable {
            let method: String
            let target: String
            let status: Int
        }

        let id: Int
        let at: String
        let platform: String?
        let event: String?
        let subject: String?
        let explanation: String?
        let exchange: Exchange?
    }

    private struct List: Decodable {
        let entries: [Entry]
    }

    /// Seconds for which the server holds back an answer without entries.
    private static let patience = 30.0

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let api = try ControlAPI(invocation, terminal)
        let limit = try invocation.number(.limit, in: 1...1000) ?? 50
        let filter: [(String, String?)] = [
            ("refused", invocation.flag(.refused) ? "true" : nil), ("platform", invocation.text(.platform)),
            ("status", invocation.text(.status)), ("path", invocation.text(.path)),
            ("q", invocation.text(.search)), ("user", invocation.text(.journalUser)),
        ]
        let after = try invocation.number(.journalAfter, in: 0...Int.max)
        let first = try api.call(
            .get, "/journal", query: filter + [("after", after.map(String.init)), ("limit", "\(limit)")])
        let entries = try show(first, api, invocation, terminal)
        guard invocation.flag(.follow) else {
            if entries.isEmpty, !invocation.flag(.json) {
                terminal.complain("no entries in the world \(api.world)")
            }
            return 0
        }
        try follow(after: entries.first?.id ?? after ?? 0, filter, api, invocation, terminal)
    }

    /// Until the server stops or the user does.
    private static func follow(
        after id: Int, _ filter: [(String, String?)], _ api: ControlAPI, _ invocation: Invocation,
        _ terminal: Terminal
    ) throws -> Never {
        var last = id
        while true {
            let more = try api.call(
                .get, "/journal",
                query: filter + [("after", "\(last)"), ("limit", "1000"), ("wait", "\(Int(patience))")],
                waiting: patience)
            last = try show(more, api, invocation, terminal).first?.id ?? last
        }
    }

    /// - Returns: the entries, newest first.
    private static func show(
        _ response: ClientResponse, _ api: ControlAPI, _ invocation: Invocation, _ terminal: Terminal
    ) throws -> [Entry] {
        let entries = try api.read(List.self, response).entries
        if invocation.flag(.json) {
            if !entries.isEmpty || !invocation.flag(.follow) { terminal.print(response.text) }
            return entries
        }
        for entry in entries.reversed() {
            terminal.print(line(entry, terminal))
            if let explanation = entry.explanation, !explanation.isEmpty {
                terminal.print("           " + Columns.plain(explanation))
            }
        }
        return entries
    }

    /// `10:15:41  401 POST /hanko/passcode/login/finalize`
    private static func line(_ entry: Entry, _ terminal: Terminal) -> String {
        let time = terminal.dim(String(entry.at.dropFirst(11).prefix(8)))
        guard let exchange = entry.exchange else {
            return "\(time)   \(terminal.bold(Columns.plain(entry.event ?? "")))"
        }
        let status = terminal.coloured("\(exchange.status)", exchange.status)
        return "\(time)   \(status) \(exchange.method) \(Columns.plain(exchange.target))"
    }
}

extension Terminal {
    /// Green, blue, yellow or red, as the status is.
    fileprivate func coloured(_ text: String, _ status: Int) -> String {
        guard isColoured else { return text }
        let colour = [2: 32, 3: 34, 4: 33][status / 100] ?? 31
        return "\u{1B}[\(colour)m\(text)\u{1B}[0m"
    }
}
