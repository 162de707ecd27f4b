/// Markup. What is interpolated is escaped unless it is markup itself, so text of a client can never become an element.
struct HTML: Sendable, Equatable, ExpressibleByStringInterpolation {
    private(set) var text: String

    init(stringLiteral text: String) { self.text = text }
    init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    /// A template of ours, in which each `{{name}}` becomes the value of that name; an unknown name stays.
    init(template: String, _ values: [String: HTML]) {
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
    }

    /// Safe between tags and in a quoted attribute. Source: WHATWG HTML, «Escaping a string», and `'` besides.
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

extension HTML {
    static let none: HTML = ""

    /// The attribute `hidden`, with its leading space, or nothing.
    static func hidden(_ isHidden: Bool) -> HTML { isHidden ? " hidden" : "" }

    /// A time of the API: whole seconds, UTC.
    static func time(_ text: String) -> HTML {
        let seconds = String(text.prefix(19))
        return "<time datetime=\"\(seconds)Z\">\(seconds.replacing("T", with: " "))</time>"
    }
}
