import Essentials
import PlatformKit

/// What session tokens say beside the standard claims: `session.jwt_template.claims` of the configuration.
///
/// Texts are templates; objects and arrays hold more of them; anything else is said as it is. A claim whose template asks for
/// what the user lacks, such as the address of a user without one, is left out.
///
/// Source: Hanko 2.0 and later. The templates there are Go's `text/template`; here they are texts with fields of the user between
/// `{{` and `}}`: `.User.UserID`, `.User.Username`, `.User.Name`, `.User.GivenName`, `.User.FamilyName`, `.User.Picture`,
/// `.User.Email.Address`, `.User.Email.IsPrimary`, `.User.Email.IsVerified`, `.User.Metadata.Public "a.b"` and
/// `.User.Metadata.Unsafe "a.b"`. Pipelines, conditions and functions are not emulated, and refused when fixtures are loaded.
struct ClaimTemplate: Sendable, Equatable {
    /// The claims that no template changes.
    private static let standard: Set = [
        "sub", "iat", "exp", "aud", "iss", "session_id", "email", "username", "amr",
    ]

    private let claims: [String: Value]

    /// No claims.
    init() { claims = [:] }

    /// - Throws: `FixtureProblem` for a template that is not emulated.
    init(_ claims: [String: JSONValue], at path: [String]) throws {
        var values: [String: Value] = [:]
        for (name, value) in claims where !Self.standard.contains(name) {
            values[name] = try Value(value, at: path + [name])
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
        case text([Part])
        case array([Value])
        case object([String: Value])
        case constant(JSONValue)

        init(_ value: JSONValue, at path: [String]) throws {
            switch value {
            case .string(let text): self = .text(try Part.parts(of: text, at: path))
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
            case .text(let parts):
                let texts = parts.compactMap { $0.text(for: account) }
                return texts.count == parts.count ? Self.converted(texts.joined()) : nil
            }
        }

        /// What looks like a number, a boolean or JSON becomes that.
        private static func converted(_ text: String) -> JSONValue {
            guard let value = try? JSONValue(parsing: Array(text.utf8)), value.string == nil, !value.isNull
            else { return .string(text) }
            return value
        }
    }

    private enum Part: Sendable, Equatable {
        case literal(String)
        case field(Field)
        /// A path of names and array positions, `roles.0`.
        case publicMetadata([String])
        case unsafeMetadata([String])

        enum Field: String, Sendable, CaseIterable {
            case id = ".User.UserID"
            case username = ".User.Username"
            case name = ".User.Name"
            case givenName = ".User.GivenName"
            case familyName = ".User.FamilyName"
            case picture = ".User.Picture"
            case address = ".User.Email.Address"
            case isPrimary = ".User.Email.IsPrimary"
            case isVerified = ".User.Email.IsVerified"
        }

        static func parts(of text: String, at path: [String]) throws -> [Part] {
            var (parts, rest): ([Part], Substring) = ([], text[...])
            while let start = rest.firstRange(of: "{{") {
                guard let end = rest[start.upperBound...].firstRange(of: "}}") else {
                    throw FixtureProblem(at: path, "expected \"}}\" after \"{{\" in \"\(text)\"")
                }
                if start.lowerBound > rest.startIndex {
                    parts.append(.literal(String(rest[..<start.lowerBound])))
                }
                parts.append(try Part(action: rest[start.upperBound..<end.lowerBound], at: path))
                rest = rest[end.upperBound...]
            }
            return rest.isEmpty ? parts : parts + [.literal(String(rest))]
        }

        private static let metadata: [(String, @Sendable ([String]) -> Part)] = [
            (".User.Metadata.Public", { .publicMetadata($0) }),
            (".User.Metadata.Unsafe", { .unsafeMetadata($0) }),
        ]

        private init(action: Substring, at path: [String]) throws {
            let text = String(action).trimmed
            if let field = Field(rawValue: text) {
                self = .field(field)
                return
            }
            for (prefix, make) in Self.metadata where text.hasPrefix(prefix) {
                let argument = String(text.dropFirst(prefix.count)).trimmed
                if argument.count > 2, argument.hasPrefix("\""), argument.hasSuffix("\"") {
                    self = make(argument.dropFirst().dropLast().split(separator: ".").map(String.init))
                    return
                }
            }
            throw FixtureProblem(
                at: path,
                "\"{{\(action)}}\" is not emulated; expected "
                    + Field.allCases.map(\.rawValue).joined(separator: ", ")
                    + ", .User.Metadata.Public \"path\" or .User.Metadata.Unsafe \"path\"")
        }

        func text(for account: Account) -> String? {
            switch self {
            case .literal(let text): text
            case .field(let field): Self.text(of: field, account)
            case .publicMetadata(let path): Self.text(at: path, in: account.metadata.public)
            case .unsafeMetadata(let path): Self.text(at: path, in: account.metadata.unsafe)
            }
        }

        private static func text(of field: Field, _ account: Account) -> String? {
            switch field {
            case .id: account.id
            case .username: account.user.username ?? ""
            case .name: account.user.name ?? ""
            case .givenName: account.user.givenName ?? ""
            case .familyName: account.user.familyName ?? ""
            case .picture: account.user.picture ?? ""
            case .address: account.primaryEmail?.address
            case .isPrimary: account.primaryEmail.map { String($0.isPrimary) }
            case .isVerified: account.primaryEmail.map { String($0.isVerified) }
            }
        }

        /// Empty when there is nothing at the path.
        private static func text(at path: [String], in metadata: JSONValue?) -> String {
            var value = metadata
            for name in path { value = value?[name] ?? Int(name).flatMap { value?.array?[checked: $0] } }
            guard let value, !value.isNull else { return "" }
            return value.string ?? value.text
        }
    }
}

extension Array {
    fileprivate subscript(checked index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
