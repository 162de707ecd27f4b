package import Essentials
package import SQLite

/// A device without a browser waits for its user to log in elsewhere. Source: RFC 8628.
package struct DeviceRequest: Sendable, Equatable {
    package enum State: String, Sendable, Codable, CaseIterable {
        case pending, approved, denied, redeemed
    }

    /// SHA-256 of the device code.
    package var digest: [UInt8]
    /// Eight letters, without the dash.
    package var userCode: String
    package var clientID: String
    package var scope: ScopeList
    /// Audience of the access tokens that was asked for; empty for the client's own.
    package var audience: [String]
    package var issuer: String
    package var state: State
    /// Of the grant that the user's approval made.
    package var grantID: String?
    /// Seconds between two polls.
    package var interval: Int
    package var polledAt: Date?
    package var expiresAt: Date

    package init(
        digest: [UInt8], userCode: String, clientID: String, scope: ScopeList, audience: [String] = [],
        issuer: String, state: State = .pending, grantID: String? = nil, interval: Int, polledAt: Date? = nil,
        expiresAt: Date
    ) {
        (self.digest, self.userCode, self.clientID, self.scope) = (digest, userCode, clientID, scope)
        (self.audience, self.issuer, self.state, self.grantID) = (audience, issuer, state, grantID)
        (self.interval, self.polledAt, self.expiresAt) = (interval, polledAt, expiresAt)
    }
}

extension DeviceRequest: RowDecodable {
    package init(row: Row) throws {
        self.init(
            digest: try row.blob("digest"), userCode: try row.text("user_code"),
            clientID: try row.text("client_id"), scope: ScopeList(try row.text("scope")),
            audience: ScopeList(try row.text("audience")).names, issuer: try row.text("issuer"),
            state: State(rawValue: try row.text("state")) ?? .denied,
            grantID: try row.optionalText("grant_id"), interval: try row.integer("interval_s"),
            polledAt: try row.optionalDate("polled_at"), expiresAt: try row.date("expires_at"))
    }
}
