import Essentials
import HTTP
import HTTPClient

/// `outbox`: the messages of a world in the terminal.
enum OutboxCommand {
    private struct Address: Decodable {
        let address: String
        let name: String?

        var shown: String { name.map { "\($0) <\(address)>" } ?? address }
    }

    private struct Message: Decodable {
        let id: Int
        let channel: String
        let from: Address
        let to: Address
        let subject: String
        let text: String
        let code: String?
        let link: String?
        let sentAt: String
    }

    private struct List: Decodable {
        let messages: [Message]
    }

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let (action, arguments) = try invocation.action()
        let api = try ControlAPI(invocation, terminal)
        switch action {
        case "show": try show(arguments[0], api, invocation, terminal)
        case "clear":
            _ = try api.call(.delete, "/outbox")
            terminal.print("the outbox of the world \(api.world) is empty")
        default: try list(api, invocation, terminal)
        }
        return 0
    }

    private static func list(_ api: ControlAPI, _ invocation: Invocation, _ terminal: Terminal) throws {
        let limit = try invocation.number(.messageLimit, in: 1...1000)
        let response = try api.call(
            .get, "/outbox", query: [("to", invocation.text(.to)), ("limit", limit.map { "\($0)" })])
        if invocation.flag(.json) { return terminal.print(response.text) }
        let messages = try api.read(List.self, response).messages
        guard !messages.isEmpty else {
            return terminal.complain("no messages in the world \(api.world)")
        }
        let rows = messages.map { message in
            [
                "\(message.id)", String(message.sentAt.prefix(19)).replacing("T", with: " "),
                message.to.address,
                message.code ?? "-", message.subject,
            ].map(Columns.plain)
        }
        for line in Columns.lines([["ID", "SENT (UTC)", "TO", "CODE", "SUBJECT"]] + rows) {
            terminal.print(line)
        }
    }

    private static func show(
        _ text: String, _ api: ControlAPI, _ invocation: Invocation, _ terminal: Terminal
    ) throws {
        guard let id = Int(text) else { throw UsageError("outbox show expects a number, not “\(text)”") }
        if invocation.flag(.raw) { return terminal.write(try api.call(.get, "/outbox/\(id)/raw").text) }
        let response = try api.call(.get, "/outbox/\(id)")
        if invocation.flag(.json) { return terminal.print(response.text) }
        let message = try api.read(Message.self, response)
        let facts: [(String, String?)] = [
            ("From", message.from.shown), ("To", message.to.shown), ("Subject", message.subject),
            ("Sent", message.sentAt), ("Code", message.code), ("Link", message.link),
        ]
        let rows = facts.compactMap { name, value in value.map { [name, Columns.plain($0)] } }
        for line in Columns.lines(rows) { terminal.print(line) }
        let body = message.text.split(separator: "\n", omittingEmptySubsequences: false).map {
            Columns.plain($0.hasSuffix("\r") ? String($0.dropLast()) : String($0))
        }
        terminal.print("\n" + body.joined(separator: "\n"))
    }
}
