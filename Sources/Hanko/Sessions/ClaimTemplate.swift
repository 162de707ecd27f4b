import Essentials
import PlatformKit

/// What session tokens say beside the standard claims: `session.jwt_template.claims` of the configuration.
///
/// Texts are templates; objects and arrays hold more of them; anything else is said as it is. A claim whose template asks for
/// what the user lacks, such as the address of a user without one, is left out.
///
/// A text that is `true` or `false` becomes a boolean, one that is a JSON object or array becomes that; a number stays a text.
///
/// Source: Hanko 2.0 and later, whose templates are Go's `text/template`. ``GoTemplate`` says what of them is read here; what is not is
/// refused when fixtures are loaded.
struct ClaimTemplate: Decodable, Sendable, Equatable {
    /// The claims that no template changes.
    private static let standard: Set = [
        "sub", "iat", "exp", "aud", "iss", "session_id", "email", "username", "amr",
    ]

    private let claims: [String: Value]

    /// No claims.
    init() { claims = [:] }

    /// - Throws: `FixtureProblem` for a template that is not emulated.
    init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode([String: JSONValue].self))
    }

    init(_ claims: [String: JSONValue]) throws {
        var values: [String: Value] = [:]
        for (name, value) in claims where !Self.standard.contains(name) {
            values[name] = try Value(value, at: [name])
        }
        self.claims = values
    }

    var isEmpty: Bool { claims.isEmpty }

    func evaluated(for account: Account) -> [String: JSONValue] {
        claims.compactMapValues { $0.evaluated(for: account) }
    }
}

extension ClaimTemplate {
    private indirect enum Value: Sendable, Equatable {
        case text(GoTemplate)
        case array([Value])
        case object([String: Value])
        case constant(JSONValue)

        init(_ value: JSONValue, at path: [String]) throws {
            switch value {
            case .string(let text): self = .text(try GoTemplate(text, at: path))
            case .array(let elements):
                self = .array(
                    try elements.enumerated().map { try Value($1, at: path + [String($0)]) })
            case .object(let members):
                var values: [String: Value] = [:]
                for (name, member) in members { values[name] = try Value(member, at: path + [name]) }
                self = .object(values)
            default: self = .constant(value)
            }
        }

        /// Nil when the user lacks something that is asked for.
        func evaluated(for account: Account) -> JSONValue? {
            switch self {
            case .constant(let value): return value
            case .array(let elements):
                let values = elements.compactMap { $0.evaluated(for: account) }
                return values.count == elements.count ? .array(values) : nil
            case .object(let members):
                let values = members.compactMapValues { $0.evaluated(for: account) }
                return values.count == members.count ? .object(values) : nil
            case .text(let template): return template.text(for: account).map(Self.converted)
            }
        }

        private static func converted(_ text: String) -> JSONValue {
            if text == "true" || text == "false" { return .boolean(text == "true") }
            let isWhole = [("{", "}"), ("[", "]")].contains { text.hasPrefix($0) && text.hasSuffix($1) }
            // What only looks like JSON stays a text.
            guard isWhole, let value = try? JSONValue(parsing: Array(text.utf8)) else { return .string(text) }
            return value
        }
    }
}
