import Essentials
import OpenID
import SQLite

/// An object that the config API keeps and nothing else of this server has a table for.
struct ConfigurationEntry: Record, Equatable {
    static let table = Table("onegini_configuration", key: "kind", "id")
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_configuration (
            position INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            id TEXT NOT NULL,
            settings TEXT NOT NULL, -- JSON
            UNIQUE (kind, id)
        ) STRICT
        """
    ]

    enum Kind: String, Codable, Sendable, CaseIterable {
        /// What a scope has beyond the authorization server's own table.
        case scope
        case identityProvider = "idp"
        case webHook = "web_hook"
    }

    let kind: Kind
    let id: String
    /// As it came, with the vendor's names.
    var settings: [String: JSONValue]

    enum CodingKeys: CodingKey {
        case kind, id, settings
    }

    init(_ kind: Kind, _ id: String, _ settings: [String: JSONValue]) {
        (self.kind, self.id, self.settings) = (kind, id, settings)
    }
}

extension Connection {
    func configuration(_ kind: ConfigurationEntry.Kind, _ id: String) throws -> ConfigurationEntry? {
        try first(ConfigurationEntry.self, where: "kind = \(kind.rawValue) AND id = \(id)")
    }

    /// In the order in which they came.
    func configurations(_ kind: ConfigurationEntry.Kind) throws -> [ConfigurationEntry] {
        try all(ConfigurationEntry.self, where: "kind = \(kind.rawValue)")
    }

    /// How often a token with these scopes may be used: the lowest of their limits; 0 when none has one.
    func usageLimit(of scope: ScopeList) throws -> Int {
        try configurations(.scope).filter { scope.contains($0.id) }
            .compactMap { $0.settings["usage_limit"]?.integer }.filter { $0 > 0 }.min() ?? 0
    }
}
