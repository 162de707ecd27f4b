import Essentials
package import SQLite

/// Something that clients may ask for by name. Source: RFC 6749 §3.3.
package struct Scope: Sendable, Equatable, Codable {
    package var name: String
    /// For the consent page: what a client with it may do.
    package var description: String?
    /// Whether the user is asked before a client gets it for the first time.
    package var needsConsent: Bool?

    package init(_ name: String, _ description: String? = nil, needsConsent: Bool? = nil) {
        (self.name, self.description, self.needsConsent) = (name, description, needsConsent)
    }

    package enum CodingKeys: String, CodingKey {
        case name, description
        case needsConsent = "needs_consent"
    }

    /// Source: OpenID Connect Core 1.0 §5.4, §11.
    package static let standard = [
        Scope("openid", "Know who you are"),
        Scope("profile", "Read your name, picture and other parts of your profile"),
        Scope("email", "Read your mail address"),
        Scope("address", "Read your postal address"),
        Scope("phone", "Read your telephone number"),
        Scope("offline_access", "Stay connected while you are away"),
    ]
}

extension Scope: RowDecodable {
    package init(row: Row) throws {
        let description = try row.text("description")
        self.init(
            try row.text("name"), description.isEmpty ? nil : description,
            needsConsent: try row.boolean("needs_consent") ? true : nil)
    }
}
