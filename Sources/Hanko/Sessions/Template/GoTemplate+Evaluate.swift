import Essentials

extension GoTemplate {
    /// What it says of a user; nil when it asks for something behind what the user lacks, such as the address of a user without one.
    func text(for account: Account) -> String? {
        try? Self.text(of: nodes, account)
    }

    /// The original's template breaks here, and its claim is left out.
    private struct Broken: Error {}

    private static func text(of nodes: [Node], _ account: Account) throws -> String {
        try nodes.map { node in
            switch node {
            case .text(let text): text
            case .output(let expression): try value(of: expression, account).text
            case .branch(let condition, let then, let otherwise):
                try text(of: value(of: condition, account).isTrue ? then : otherwise, account)
            }
        }.joined()
    }

    private static func value(of expression: Expression, _ account: Account) throws -> Value {
        switch expression {
        case .text(let text): return .text(text)
        case .number(let number): return .number(number)
        case .flag(let flag): return .flag(flag)
        case .field(let field): return try value(of: field, account)
        case .metadata(let kind, let path):
            // Metadata that say nothing are none.
            guard account.metadata.shown != nil else { throw Broken() }
            let found = account.metadata.shown(kind).flatMap { path.value(in: $0) }
            return .text(found.map { $0.isNull ? "" : $0.string ?? $0.text } ?? "")
        case .call(let function, let arguments): return try call(function, arguments, account)
        }
    }

    private static func call(
        _ function: Function, _ arguments: [Expression], _ account: Account
    ) throws -> Value {
        switch function {
        case .and, .or:
            // The first that decides, or else the last; those behind it are not asked.
            var value = Value.flag(function == .and)
            for argument in arguments {
                value = try Self.value(of: argument, account)
                if value.isTrue == (function == .or) { break }
            }
            return value
        case .not: return .flag(try !values(arguments, account)[0].isTrue)
        case .eq:
            let values = try values(arguments, account)
            return .flag(try values.dropFirst().contains { try isEqual($0, values[0]) })
        case .ne:
            let values = try values(arguments, account)
            return .flag(try !isEqual(values[0], values[1]))
        case .printf:
            let values = try values(Array(arguments.dropFirst()), account)
            let texts = TemplateFormat(arguments)?.texts ?? []
            return .text(
                zip(texts, values.map(\.text) + [""]).map { $0 + $1 }.joined())
        }
    }

    private static func values(_ arguments: [Expression], _ account: Account) throws -> [Value] {
        try arguments.map { try value(of: $0, account) }
    }

    /// Values of different kinds cannot be compared.
    private static func isEqual(_ one: Value, _ other: Value) throws -> Bool {
        switch (one, other) {
        case (.text(let one), .text(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.flag(let one), .flag(let other)): one == other
        default: throw Broken()
        }
    }

    private static func value(of field: UserField, _ account: Account) throws -> Value {
        let (user, email) = (account.user, account.primaryEmail)
        func required<Found>(_ found: Found?) throws -> Found {
            guard let found else { throw Broken() }
            return found
        }
        return switch field {
        case .user: .record(account.shown)
        case .id: .text(account.id)
        case .username: .text(user.username ?? "")
        case .name: .text(user.name ?? "")
        case .givenName: .text(user.givenName ?? "")
        case .familyName: .text(user.familyName ?? "")
        case .picture: .text(user.picture ?? "")
        case .email: .record(email?.shown)
        case .address: .text(try required(email).address)
        case .isPrimary: .flag(try required(email).isPrimary)
        case .isVerified: .flag(try required(email).isVerified)
        case .metadata: .record(account.metadata.shown)
        }
    }

    private enum Value {
        case text(String)
        case number(Int)
        case flag(Bool)
        /// Nil for a pointer to nothing.
        case record(JSONValue?)

        var text: String {
            switch self {
            case .text(let text): text
            case .number(let number): String(number)
            case .flag(let flag): String(flag)
            case .record(let value): value?.text ?? ""
            }
        }

        /// What is neither empty nor zero.
        var isTrue: Bool {
            switch self {
            case .text(let text): !text.isEmpty
            case .number(let number): number != 0
            case .flag(let flag): flag
            case .record(let value): value != nil
            }
        }
    }
}

// As the original writes them where a template shows a whole. Source: Hanko 2.7, what is handed to templates.
extension Account {
    fileprivate var shown: JSONValue {
        var members: [String: JSONValue] = [
            "user_id": .string(id), "username": .string(user.username ?? ""),
            "name": .string(user.name ?? ""), "given_name": .string(user.givenName ?? ""),
            "family_name": .string(user.familyName ?? ""), "picture": .string(user.picture ?? ""),
        ]
        members["email"] = primaryEmail?.shown
        members["metadata"] = metadata.shown
        return .object(members)
    }
}

extension Email {
    fileprivate var shown: JSONValue {
        [
            "address": .string(address), "is_primary": .boolean(isPrimary),
            "is_verified": .boolean(isVerified),
        ]
    }
}

extension Metadata {
    /// Nil for nothing and for an empty object.
    fileprivate func shown(_ kind: Kind) -> JSONValue? {
        let value = kind == .public ? self.public : unsafe
        return value?.object?.isEmpty == false ? value : nil
    }

    /// Nil where there is nothing to show.
    fileprivate var shown: JSONValue? {
        var members: [String: JSONValue] = [:]
        members["public_metadata"] = shown(.public)
        members["unsafe_metadata"] = shown(.unsafe)
        return members.isEmpty ? nil : .object(members)
    }
}
