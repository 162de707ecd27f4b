/// Markup. What is interpolated is escaped unless it is markup itself, so text of a client can never become an element.
struct HTML: Sendable, Equatable, ExpressibleByStringInterpolation {
    private(set) var text: String

    init(stringLiteral text: String) { self.text = text }
    init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    static let none: HTML = ""

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }
        mutating func appendInterpolation(_ value: Int) { text += String(value) }
        mutating func appendInterpolation(_ value: HTML) { text += value.text }
        /// Each on a line of its own.
        mutating func appendInterpolation(_ values: [HTML]) {
            text += values.map(\.text).joined(separator: "\n")
        }
        /// Ours, never a client's: a style sheet or a script.
        mutating func appendInterpolation(trusted text: String) { self.text += text }
    }

    /// Safe between tags and in a quoted attribute. Source: WHATWG HTML, «Escaping a string», and `'` besides.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            // Not allowed in a document; a browser would show the same.
            case "\0": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
