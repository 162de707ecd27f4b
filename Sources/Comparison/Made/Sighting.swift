import Essentials
import HTTP

/// An exchange with a service that is emulated, read for what it takes for granted.
struct Sighting {
    let exchange: Exchange
    let platform: String
    /// Below the mount.
    let path: String
    /// Of the query, then of a form.
    let parameters: [(name: String, value: String)]
    /// Bodies that are JSON.
    let asked: SpelledJSON?
    let answered: SpelledJSON?

    /// Nil for what went elsewhere, or has no answer.
    init?(_ exchange: Exchange, _ book: RouteBook, _ bases: Bases) {
        guard exchange.response.status > 0, let place = bases.place(of: exchange.request.url),
            let platform = book.platforms[place.mount]
        else { return nil }
        (self.exchange, self.platform, path) = (exchange, platform, place.path)
        let content = exchange.request.content
        parameters = Form(place.query ?? "").pairs + content.fields.pairs
        // What is no JSON says nothing here.
        (asked, answered) = (content.json, SpelledJSON(exchange.response.body))
    }

    var method: String { exchange.request.method }
    var status: Int { exchange.response.status }
    var isAccepted: Bool { status < 400 }

    subscript(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The name and the secret of HTTP Basic. Source: RFC 7617 §2; RFC 6749 §2.3.1 for the percent signs.
    var basic: (name: String, secret: String)? {
        guard let field = exchange.request.headers["Authorization"],
            field.asciiLowercased.hasPrefix("basic "),
            let packed = PackedText.unpacked(String(field.dropFirst(6))),
            let colon = packed.text.firstIndex(of: ":")
        else { return nil }
        let (name, secret) = (
            packed.text[..<colon], packed.text[packed.text.index(after: colon)...]
        )
        return (name.percentDecoded, secret.percentDecoded)
    }
}

extension SpelledJSON {
    /// The same without its spelling; nil for what is too deep to be read again.
    var plain: JSONValue? { try? JSONValue(parsing: Array(text.utf8)) }

    /// A whole number.
    var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }

    /// Each text in it.
    var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.texts)
        case .object(let members): members.flatMap(\.value.texts)
        case .null, .boolean, .number: []
        }
    }

    /// Each object in it, the outer ones first.
    var objects: [SpelledJSON] {
        switch self {
        case .array(let elements): elements.flatMap(\.objects)
        case .object(let members): [self] + members.flatMap(\.value.objects)
        default: []
        }
    }
}

extension [String] {
    mutating func note(_ value: String?) {
        if let value, !value.isEmpty, !contains(value) { append(value) }
    }
}

extension String {
    /// For a sentence.
    var quoted: String { JSONValue.string(self).text }
}
