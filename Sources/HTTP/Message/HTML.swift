/// Markup. What is interpolated is escaped unless it is markup itself, so text of a client can never become an element.
package struct HTML: Sendable, Equatable, ExpressibleByStringInterpolation {
    package private(set) var text: String

    package init(stringLiteral text: String) { self.text = text }
    package init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    /// Markup that another part of the program made, taken as it is: never text of a client.
    package init(markup: String) { text = markup }

    /// A template of ours, in which each `{{name}}` becomes the value of that name; an unknown name stays.
    package init(template: String, _ values: [String: HTML]) {
        text = ""
        for (index, piece) in template.split(separator: "{{", omittingEmptySubsequences: false).enumerated() {
            guard index > 0 else {
                text += piece
                continue
            }
            let end = piece.firstRange(of: "}}")
            if let end, let value = values[String(piece[..<end.lowerBound])] {
                text += value.text + piece[end.upperBound...]
            } else {
                text += "{{" + piece
            }
        }
    }

    package static let none: HTML = ""

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity * 2)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }
        package mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }
        package mutating func appendInterpolation(_ value: Int) { text += String(value) }
        package mutating func appendInterpolation(_ value: HTML) { text += value.text }
        /// Each on a line of its own.
        package mutating func appendInterpolation(_ values: [HTML]) {
            text += values.map(\.text).joined(separator: "\n")
        }
    }

    /// Safe between tags and in a quoted attribute. Source: WHATWG HTML, “Escaping a string”, and `'` besides.
    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { special.contains($0) }) else { return text }
        var escaped = ""
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

    private static let special: Set<UInt8> = Set("&<>\"'\0".utf8)
}
