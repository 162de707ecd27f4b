import Essentials
import HTTP
import HTTPClient

/// `flow`: requests that belong together, in the terminal.
enum FlowCommand {
    private struct List: Decodable {
        let flows: [Flow]
    }

    private struct Flow: Decodable {
        let id: Int
        let title: String
        let startedAt: String
        let platforms: [String]
        let requests: Int
        let refused: Int
    }

    private enum Format: String, CaseIterable {
        case text, mermaid, svg, json
    }

    /// The most that the control API waits in one call.
    private static let longestWait = 60.0

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let (action, arguments) = try invocation.action()
        let api = try ControlAPI(invocation, terminal)
        let filter: [(String, String?)] = [
            ("platform", invocation.text(.platform)), ("user", invocation.text(.flowUser)),
        ]
        if action == "show" {
            try show(arguments.first, filter, api, invocation, terminal)
        } else {
            try list(filter, api, invocation, terminal)
        }
        return 0
    }

    private static func list(
        _ filter: [(String, String?)], _ api: ControlAPI, _ invocation: Invocation, _ terminal: Terminal
    ) throws {
        let limit = try invocation.number(.limit, in: 1...1000) ?? 50
        let response = try api.call(.get, "/flows", query: filter + [("limit", "\(limit)")])
        if invocation.flag(.json) { return terminal.print(response.text) }
        let rows = try api.read(List.self, response).flows.map { flow in
            [
                String(flow.id), String(flow.startedAt.dropFirst(11).prefix(8)),
                flow.requests == 1 ? "1 request" : "\(flow.requests) requests",
                flow.refused == 0 ? "" : "\(flow.refused) refused", Columns.plain(flow.title),
                flow.platforms.joined(separator: ", "),
            ]
        }
        if rows.isEmpty { return terminal.complain("no flows\(api.place)") }
        for line in Columns.lines(rows, indent: 0) { terminal.print(line) }
    }

    /// - Parameter id: of an entry; nil for the newest flow.
    private static func show(
        _ id: String?, _ filter: [(String, String?)], _ api: ControlAPI, _ invocation: Invocation,
        _ terminal: Terminal
    ) throws {
        if id != nil, invocation.flag(.last) { throw UsageError("flow show takes an ID or --last, not both") }
        let wait = min(try invocation.seconds(.flowWait) ?? 0, longestWait)
        if id != nil, wait > 0 || filter.contains(where: { $0.1 != nil }) {
            throw UsageError("--user, --platform and --wait go with --last, not with an ID")
        }
        let chosen: Format = try invocation.choice(.flowFormat) ?? .text
        let format = invocation.flag(.json) ? .json : chosen
        let query: [(String, String?)] = [("format", format.rawValue)]
        let response =
            if let id {
                try api.call(.get, "/flows/" + id.percentEncoded, query: query)
            } else {
                try api.call(
                    .get, "/flows/last", query: query + filter + (wait > 0 ? [("wait", "\(wait)")] : []),
                    waiting: wait)
            }
        guard format == .text else {
            return terminal.write(response.text + (response.text.hasSuffix("\n") ? "" : "\n"))
        }
        for line in response.text.split(separator: "\n") {
            terminal.print(coloured(Columns.plain(String(line)), terminal))
        }
    }

    /// Refusals stand out, in a terminal.
    private static func coloured(_ line: String, _ terminal: Terminal) -> String {
        guard terminal.isColoured, line.drop(while: { $0 == " " }).hasPrefix("refused: ") else { return line }
        return "\u{1B}[33m\(line)\u{1B}[0m"
    }
}

extension Commands {
    static let flow = Command(
        name: "flow", summary: "show which requests belong together, such as those of a login",
        operands: .actions([
            .init(name: "list", arguments: [], help: "the newest flows", takes: [.limit]),
            .init(
                name: "show", arguments: ["ID"], optional: 1,
                help: "the flow that contains this journal entry; without ID the newest",
                takes: [.last, .flowFormat, .flowWait]),
        ]),
        options: [.last, .flowFormat, .flowUser, .platform, .flowWait, .limit] + Option.client + [.json],
        discussion: [
            "The text form replaces ids, times and numbers by placeholders, so that it is the same in every run and can be compared",
            "with a file. Mermaid is for documentation, SVG for everything else.",
        ],
        examples: [
            ("flow show --last --user ada --wait 5s", "what Ada just did, or is about to do"),
            ("flow show --last --format mermaid", "a diagram for a README"),
        ],
        run: FlowCommand.run)
}
