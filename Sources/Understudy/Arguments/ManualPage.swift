/// The manual page understudy(1), made from the table of commands.
///
/// Source: man(7) of mandoc and groff, in what both understand.
struct ManualPage {
    let commands: [Command]

    func text() -> String {
        var lines = [
            ".TH UNDERSTUDY 1 \"\(Version.date)\" \"understudy \(Version.number)\" \"Understudy\"",
            ".SH NAME", "understudy \\- stand in for identity platforms while apps are developed",
            ".SH SYNOPSIS", ".B understudy", ".RI [ COMMAND ]", ".RI [ options ]",
            ".SH DESCRIPTION",
        ]
        lines += paragraph(
            "Understudy stands in for the identity platforms behind mobile apps, so that client teams can build and test without them and without a network. It is for development only: never let it near real users. Without a command, it runs serve."
        )
        lines.append(".SH COMMANDS")
        lines += commands.flatMap(section)
        lines.append(".SH ENVIRONMENT")
        lines += paragraph(
            "Every option can also be set in the environment, which counts where the option is not given: UNDERSTUDY_PORT=9000 for \\-\\-port 9000. Where the variable is named differently, the option above says so.",
            isEscaped: true)
        lines += [".SH FILES", ".TP", ".I \(ConfigFile.name)"]
        lines += paragraph(
            "in the folder where serve and exec are started: options and fixtures; see --config.")
        lines += [".TP", ".I $XDG_STATE_HOME/understudy/ca"]
        lines += paragraph("the development CA of --tls auto.")
        lines += [".TP", ".I $XDG_CACHE_HOME/understudy"]
        lines += paragraph("databases made from fixture files, for the next start; safe to delete.")
        lines.append(".SH EXIT STATUS")
        lines += paragraph(
            "0 success, 1 failure, 2 wrong usage. exec ends with the status of its command.")
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(_ command: Command) -> [String] {
        var lines = [".SS \(Self.escaped(command.name))"]
        lines += paragraph(command.usage) + [".PP"]
        lines += paragraph(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".")
        if case .actions(let actions, let hasDefault) = command.operands {
            for (index, action) in actions.enumerated() {
                let isDefault = index == 0 && hasDefault
                lines += [".TP", ".B " + Self.escaped(action.usage)]
                lines += paragraph(action.help + (isDefault ? " (the default action)" : ""))
            }
        }
        if !command.discussion.isEmpty { lines += [".PP"] + command.discussion.flatMap { paragraph($0) } }
        lines += command.options.flatMap(entry)
        for example in command.examples {
            lines += [".TP", ".B " + Self.escaped("understudy " + example.line)] + paragraph(example.does)
        }
        return lines
    }

    private func entry(_ option: Option) -> [String] {
        let fallback = option.fallback.map { " (default: \($0))" } ?? ""
        let twin = option.twin == nil ? "" : " In the environment: \(option.environmentName)."
        return [".TP", ".B " + Self.escaped(option.usage)] + paragraph(option.help + fallback + "." + twin)
    }

    /// Lines of at most 78 characters, each safe against being taken for a request.
    private func paragraph(_ text: String, isEscaped: Bool = false) -> [String] {
        Columns.wrap(isEscaped ? text : Self.escaped(text), width: 78).map { line in
            line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
        }
    }

    /// A hyphen of the command line is a minus sign in roff, a backslash its escape; what is not ASCII has a name.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "…": escaped += "..."
            case "“": escaped += "\\(lq"
            case "”": escaped += "\\(rq"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}

extension Commands {
    static let man = Command(
        name: "man", summary: "print the manual page",
        examples: [("man | man -l -", "read it, like man understudy where it is installed")],
        run: { _, terminal in
            terminal.write(ManualPage(commands: Commands.all).text())
            return 0
        })
}
