/// The program's own description, made from the table of commands.
struct Help {
    let commands: [Command]
    let terminal: Terminal

    private static let width = 100

    /// `understudy help`: what there is.
    func overview() -> String {
        let rows = commands.map { [$0.name, $0.summary] }
        let lines =
            [
                terminal.bold("Understudy")
                    + " stands in for identity platforms, so that apps can be developed",
                "and tested offline. For development only, never for real users.", "",
                "usage: understudy [COMMAND] [options]", "",
            ] + Columns.lines(rows, indent: 2, gap: 3)
            + [
                "", "Without a command, it runs serve. More about a command: understudy help COMMAND",
                "Every option can also be set in the environment: UNDERSTUDY_PORT=9000 for --port 9000.",
                "The documentation is at /docs of a running server, by default http://localhost:8420/docs.",
            ]
        return text(lines)
    }

    /// `understudy help COMMAND`.
    func describe(_ command: Command) -> String {
        var lines = ["understudy \(command.name): \(command.summary)", "", "usage: \(command.usage)"]
        if case .actions(let actions, let hasDefault) = command.operands {
            let rows = actions.enumerated().map { index, action in
                [
                    action.usage,
                    action.help + (index == 0 && hasDefault ? " (the default action)" : ""),
                ]
            }
            lines += [""] + Columns.lines(rows, indent: 2, gap: 3)
        }
        if !command.discussion.isEmpty { lines += [""] + command.discussion }
        if !command.options.isEmpty {
            lines += ["", terminal.bold("Options")] + command.options.flatMap(lines(of:))
        }
        if !command.examples.isEmpty {
            let rows = command.examples.map { ["understudy " + $0.line, $0.does] }
            lines += ["", terminal.bold("Examples")] + Columns.lines(rows, indent: 2, gap: 3)
        }
        return text(lines)
    }

    /// Usage on one line, what it does and its default below.
    private func lines(of option: Option) -> [String] {
        let fallback = option.fallback.map { " (default: \($0))" } ?? ""
        let help = Columns.wrap(option.help + fallback, width: Self.width - 6)
        return ["  " + option.usage + "   " + terminal.dim(option.environmentName)]
            + help.map { "      " + $0 }
    }

    /// The settings of `command` as a Markdown table, as the documentation shows them.
    static func markdown(_ command: Command) -> String {
        let rows = command.options.map { option in
            let usage = code(option.usage)
            return "| \(usage) | `\(option.environmentName)` | \(option.fallback ?? "") | \(option.help) |"
        }
        return (["| option | environment | default | what it does |", "|---|---|---|---|"] + rows)
            .joined(separator: "\n") + "\n"
    }

    /// A bar inside a table's cell would end it, inside code too.
    private static func code(_ text: String) -> String { "`" + text.replacing("|", with: "\\|") + "`" }

    private func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
}
