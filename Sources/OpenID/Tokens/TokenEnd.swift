package import Essentials

/// When and why something stopped being good before its time.
package struct TokenEnd: Sendable, Equatable, Codable {
    package let at: Date
    package let reason: Reason

    package init(at: Date, reason: Reason) { (self.at, self.reason) = (at, reason) }

    private enum CodingKeys: String, CodingKey {
        case at
        case reason = "because"
    }

    package enum Reason: String, Sendable, Codable, CaseIterable {
        /// At the revocation endpoint, or by the control or management API.
        case revoked
        /// The user logged out.
        case loggedOut = "logged_out"
        /// Its code or refresh token was used twice.
        case reused
        /// Another login of the same user and client took its place.
        case superseded
        /// Its client is gone.
        case clientRemoved = "client_removed"
        /// The user was disconnected from the client.
        case userRemoved = "user_removed"
        /// Too many wrong refresh tokens.
        case locked

        /// For a sentence: “it was …”.
        package var words: String {
            switch self {
            case .revoked: "revoked"
            case .loggedOut: "ended by a logout"
            case .reused: "ended, because its code or refresh token was used twice"
            case .superseded: "replaced by a later login"
            case .clientRemoved: "ended with its client"
            case .userRemoved: "ended when the user was disconnected"
            case .locked: "ended after too many wrong attempts"
            }
        }
    }

    /// As the column `ended` has it.
    var json: JSONValue {
        get throws { try JSONValue(parsing: Array(JSONEncoder().encode(self))) }
    }
}
