import Essentials

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
