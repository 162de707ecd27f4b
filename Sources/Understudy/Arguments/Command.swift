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
            case .command: " -- COMMAND [ARGUMENT…]"
            }
        return "understudy \(name)" + (options.isEmpty ? "" : " [options]") + operands
    }
}
