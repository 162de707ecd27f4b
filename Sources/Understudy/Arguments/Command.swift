import PlatformKit

/// One command of the program, whole: from this the parser, the help and the documents are made.
struct Command: Sendable {
    /// One of several things that a command does: `show ID` of `outbox`.
    struct Action: Sendable, Equatable {
        let name: String
        /// Placeholders of what follows, such as `["ID"]`.
        let arguments: [String]
        /// How many of them may be left out, counted from the last.
        var optional = 0
        let help: String
        /// Options of the command that this action takes and not every other does.
        var takes: [Option] = []

        /// `show ID`, `freeze [TIME]`.
        var usage: String {
            let required = arguments.count - optional
            let shown = arguments.enumerated().map { $0.offset < required ? $0.element : "[\($0.element)]" }
            return ([name] + shown).joined(separator: " ")
        }
    }

    /// What stands behind the options.
    enum Operands: Sendable, Equatable {
        case none
        /// Exactly one.
        case one(String)
        case optional(String)
        /// One, and perhaps a second one.
        case pair(String, optional: String)
        /// One or more.
        case many(String)
        /// An action and its own arguments; with a default, none means the first.
        case actions([Action], hasDefault: Bool = true)
        /// A command to run, with everything that follows it.
        case command
        /// A file, and a command to run.
        case fileAndCommand(String)
    }

    typealias Body = @Sendable (Invocation, Terminal) throws -> Int32

    let name: String
    /// A few words for the list of commands.
    let summary: String
    var operands: Operands = .none
    var options: [Option] = []
    /// More lines for `help COMMAND`.
    var discussion: [String] = []
    /// Command lines that people would type, with what they do.
    var examples: [(line: String, does: String)] = []
    let run: Body

    /// `understudy code [options] TO`.
    var usage: String {
        let operands =
            switch operands {
            case .none: ""
            case .one(let name): " \(name)"
            case .optional(let name): " [\(name)]"
            case .pair(let name, let second): " \(name) [\(second)]"
            case .many(let name): " \(name)…"
            case .actions(let actions, true): " [\(actions.map(\.name).joined(separator: "|"))]"
            case .actions(let actions, false): " \(actions.map(\.name).joined(separator: "|"))"
            case .fileAndCommand(let file): " \(file) -- COMMAND [ARGUMENT…]"
            case .command: " -- COMMAND [ARGUMENT…]"
            }
        return "understudy \(name)" + (options.isEmpty ? "" : " [options]") + operands
    }
}

/// A command line that was understood: the command, what was given, and where it came from.
struct Invocation: Sendable {
    /// Values of one option, and how the user gave them.
    struct Given: Sendable, Equatable {
        var values: [String]
        /// `--port` or `UNDERSTUDY_PORT`, for messages.
        let source: String
    }

    let command: Command
    /// What stands behind the options, an action's name included.
    let operands: [String]
    let given: [String: Given]
    /// The file that gave some of it; nil where none did.
    var config: String?

    func isGiven(_ option: Option) -> Bool { given[option.name] != nil }

    func flag(_ option: Option) -> Bool { given[option.name] != nil }

    /// The last value given.
    func text(_ option: Option) -> String? { given[option.name]?.values.last }

    func texts(_ option: Option) -> [String] { given[option.name]?.values ?? [] }

    /// - Throws: ``UsageError`` for what is no whole number in `range`.
    func number<Number: FixedWidthInteger>(_ option: Option, in range: ClosedRange<Number>) throws -> Number?
    {
        try text(option).map { text in
            guard let number = Number(text), range.contains(number) else {
                throw refusal(of: option, "a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }

    /// Seconds. - Throws: ``UsageError`` for what is no span of time.
    func seconds(_ option: Option) throws -> Double? {
        try text(option).map { text in
            guard let seconds = TimeSpan.seconds(text), seconds >= 0 else {
                throw refusal(of: option, "a time such as 10s, 500ms, 5m or 1h")
            }
            return seconds
        }
    }

    /// `--port expects a whole number from 0 to 65535, not "abc"`.
    func refusal(of option: Option, _ expected: String) -> UsageError {
        let given = given[option.name]
        return UsageError(
            "\(given?.source ?? "--" + option.name) expects \(expected), not “\(given?.values.last ?? "")”")
    }

    /// The action asked for, the first one when none was named, and its arguments.
    ///
    /// - Throws: ``UsageError`` for an action that the command lacks, or one with too few or too many arguments.
    func action() throws -> (name: String, arguments: [String]) {
        guard case .actions(let actions, let hasDefault) = command.operands else { return ("", []) }
        guard let name = operands.first ?? (hasDefault ? actions.first?.name : nil) else {
            throw UsageError("\(command.name) needs one of \(actions.map(\.name).joined(separator: ", "))")
        }
        guard let action = actions.first(where: { $0.name == name }) else {
            let meant = Suggestion.nearest(to: name, among: actions.map(\.name)).map {
                "; did you mean \($0)?"
            }
            let known = actions.map(\.name).joined(separator: ", ")
            throw UsageError("\(command.name) has no action “\(name)”" + (meant ?? ", only \(known)"))
        }
        let arguments = Array(operands.dropFirst())
        let range = action.arguments.count - action.optional...action.arguments.count
        guard range.contains(arguments.count) || action.takesMany && arguments.count > 0 else {
            throw UsageError("expected: understudy \(command.name) \(action.usage)")
        }
        try checkOptions(of: action, among: actions)
        return (name, arguments)
    }

    /// Options of other actions are slips. Of those in the environment, an action takes what is its own.
    private func checkOptions(of action: Command.Action, among actions: [Command.Action]) throws {
        for option in command.options where !action.takes.contains(option) {
            let others = actions.filter { $0.takes.contains(option) }.map(\.name)
            guard !others.isEmpty, given[option.name]?.source == "--" + option.name else { continue }
            throw UsageError(
                "\(command.name) \(action.name) takes no --\(option.name), which is for \(others.joined(separator: ", "))"
            )
        }
    }
}

extension Command.Action {
    /// Whether the last argument may repeat: `FILE…`.
    var takesMany: Bool { arguments.last?.hasSuffix("…") ?? false }
}

extension Command.Operands {
    /// Whether everything behind so many operands belongs to the command to run, of which the last of them is the name.
    func runsCommand(after count: Int) -> Bool {
        switch self {
        case .command: true
        case .fileAndCommand: count > 1
        default: false
        }
    }
}
