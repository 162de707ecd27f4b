/// Where a command speaks, and what it finds around it. Tests hand one in that only remembers.
struct Terminal: Sendable {
    /// Writes to standard output, as it is: the caller ends lines.
    let write: @Sendable (String) -> Void
    /// Writes to standard error, as it is.
    let writeError: @Sendable (String) -> Void
    let environment: [String: String]
    /// Standard output is a terminal that shows colours, and nobody asked for none.
    let isColoured: Bool

    func print(_ line: String = "") { write(line + "\n") }

    func complain(_ line: String) { writeError(line + "\n") }

    /// `text` emphasised, where that can be seen.
    func bold(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    /// `text` as a warning, where that can be seen.
    func red(_ text: String) -> String { isColoured ? "\u{1B}[31m\(text)\u{1B}[0m" : text }

    func dim(_ text: String) -> String { isColoured ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

    /// Source: no-color.org — set and not empty means no colours.
    static func wantsColour(isTerminal: Bool, environment: [String: String]) -> Bool {
        isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
}
