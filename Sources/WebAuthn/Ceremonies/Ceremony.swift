/// The two ceremonies of the standard.
package enum Ceremony: String, Sendable, Codable {
    case registration
    case authentication

    /// The `type` in client data. Source: Web Authentication Level 3 §5.8.1.
    package var clientDataType: String {
        switch self {
        case .registration: "webauthn.create"
        case .authentication: "webauthn.get"
        }
    }

    /// Of Web Authentication Level 3.
    var section: String {
        switch self {
        case .registration: "§7.1"
        case .authentication: "§7.2"
        }
    }
}

/// Source: Web Authentication Level 3 §5.8.6.
package enum UserVerification: String, Sendable, Codable {
    case required
    case preferred
    case discouraged
}
