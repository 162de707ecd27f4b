package import Essentials
package import PlatformKit
package import SQLite

/// A device without a browser waits for its user to log in elsewhere. Source: RFC 8628.
package struct DeviceRequest: Traced, Equatable {
    package static let table = Table("openid_device_request", key: "digest")

    package enum State: String, Sendable, Codable, CaseIterable {
        case pending, approved, denied, redeemed
    }

    /// SHA-256 of the device code.
    package var digest: DigestText
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

    package enum CodingKeys: String, CodingKey {
        case digest
        case userCode = "user_code"
        case clientID = "client_id"
        case scope
        case audience = "aud"
        case issuer, state
        case grantID = "grant_id"
        case interval
        case polledAt = "polled_at"
        case expiresAt = "expires_at"
    }

    package init(
        digest: [UInt8], userCode: String, clientID: String, scope: ScopeList, audience: [String] = [],
        issuer: String, state: State = .pending, grantID: String? = nil, interval: Int, polledAt: Date? = nil,
        expiresAt: Date
    ) {
        (self.digest, self.userCode, self.clientID, self.scope) = (
            DigestText(digest), userCode, clientID, scope
        )
        (self.audience, self.issuer, self.state, self.grantID) = (audience, issuer, state, grantID)
        (self.interval, self.polledAt, self.expiresAt) = (interval, polledAt, expiresAt)
    }
}

extension DeviceRequest {
    package var subjects: [Subject] {
        [Subject(.request, digest: digest.bytes, "Login on a device")]
            + (grantID.map { [Subject(.grant, $0)] } ?? [])
    }
}

extension ServerRecords<DeviceRequest> {
    package func find(_ digest: [UInt8], in db: Connection) throws -> DeviceRequest? {
        try first(where: "digest = \(digest)", in: db)
    }

    /// - Parameter userCode: ``UserCode/normalized(_:)``.
    package func find(userCode: String, in db: Connection) throws -> DeviceRequest? {
        try first(where: "user_code = \(userCode)", in: db)
    }

    /// Forgets those whose time was over before `time`, and the oldest when there are more than `limit`; to be called right after one
    /// was inserted.
    func tidy(before time: Date, keeping limit: Int, in db: Connection) throws {
        try delete(where: "(expires_at < \(time) OR rowid <= \(db.lastInsertID - limit))", in: db)
    }
}

/// A wrong user code of the last minute, by the address that it came from. Source: RFC 8628 §5.1.
struct WrongUserCode: Record {
    static let table = Table("openid_wrong_user_code", key: "position")
    /// Within ``windowSeconds``.
    static let limit = 5
    static let windowSeconds = 60.0

    let address: String
    let at: Date
}

extension ServerRecords<WrongUserCode> {
    /// How many came from `address` lately.
    func count(_ address: String, at now: Date, in db: Connection) throws -> Int {
        let start = now - WrongUserCode.windowSeconds
        return try count(where: "address = \(address) AND at > \(start)", in: db)
    }

    /// Forgets the old ones of everybody.
    func note(_ address: String, at now: Date, in db: Connection) throws {
        try delete(where: "at <= \(now - WrongUserCode.windowSeconds)", in: db)
        try insert(WrongUserCode(address: address, at: now), in: db)
    }
}
