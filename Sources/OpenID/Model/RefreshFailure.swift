package import Essentials
package import HTTP
package import SQLite

/// A refresh token that was not accepted.
package struct RefreshFailure: Sendable {
    package enum Reason: Sendable, Equatable {
        case unknown
        /// It belongs to another client.
        case foreign(clientID: String)
        /// ``ServerExtension/accepts(_:refreshedWith:by:)`` said no.
        case notAccepted
        case expired(at: Date)
        case ended(TokenEnd)
        /// Already used, and not within the grace window. Its family ends.
        case reused(at: Date)
    }

    package let reason: Reason
    package let client: Client
    /// Of the token that came, where it is known.
    package let grant: Grant?
    package let parameters: Form
    package let now: Date

    package init(reason: Reason, client: Client, grant: Grant?, parameters: Form, now: Date) {
        (self.reason, self.client, self.grant) = (reason, client, grant)
        (self.parameters, self.now) = (parameters, now)
    }
}

/// What a platform makes of a refresh token that was refused: what is thrown in the place of the standard's refusal, and what of it stays.
package struct RefreshConsequence {
    package let error: any Error
    /// Writes it.
    package let keep: (Connection) throws -> Void

    package init(_ error: any Error, keep: @escaping (Connection) throws -> Void = { _ in }) {
        (self.error, self.keep) = (error, keep)
    }
}
