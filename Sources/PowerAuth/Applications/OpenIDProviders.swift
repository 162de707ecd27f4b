import Essentials
import SQLite

/// A list of OpenID Connect providers as it is stored: read when it is asked for, which few of those do who need the application.
struct OpenIDProviders: Sendable, Equatable {
    /// JSON array of providers, as fixtures and the management API spell them.
    let json: String

    /// None.
    init() { json = "[]" }

    init(json: String) { self.json = json }

    init(_ providers: [OpenIDProvider]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        json = String(decoding: try encoder.encode(providers), as: UTF8.self)
    }

    func list() throws -> [OpenIDProvider] {
        try JSONDecoder().decode([OpenIDProvider].self, from: Data(json.utf8))
    }
}

extension OpenIDProviders: ColumnValue {
    package static var expectedType: String { String.expectedType }
    package var sqlValue: SQLValue { json.sqlValue }

    package init?(column: Column) {
        guard let json = String(column: column) else { return nil }
        self.json = json
    }
}

extension OpenIDProviders: Codable {
    init(from decoder: any Decoder) throws { try self.init([OpenIDProvider](from: decoder)) }

    func encode(to encoder: any Encoder) throws { try list().encode(to: encoder) }
}
