import Essentials

/// A session that is about to be opened for whoever the code turns out to belong to.
struct NewSession: Sendable {
    let id: String
    let userAgent: String?
    let ipAddress: String?
    let createdAt: Date
    let lifespanSeconds: Int
    /// Sessions that a user may have, this one included.
    let limit: Int
    /// What the token says besides.
    var template = ClaimTemplate()

    /// Its times are those of its token, in whole seconds.
    func session(for userID: String) -> Session {
        let issuedAt = Date(timeIntervalSince1970: createdAt.timeIntervalSince1970.rounded(.down))
        return Session(
            id: id, userID: userID, userAgent: userAgent, ipAddress: ipAddress, createdAt: issuedAt,
            updatedAt: issuedAt, expiresAt: issuedAt.addingTimeInterval(Double(lifespanSeconds)),
            lastUsed: issuedAt)
    }
}

/// A session that was opened, with what its token says.
struct OpenedSession: Sendable {
    let session: Session
    /// The user's primary address, if there is one.
    let email: Email?
    /// The user's oldest sessions, which had to make room.
    let dropped: [Session]
    /// What the token says besides: only flows and the admin API say it.
    var username: String?
    var amr: [String]?
    /// The claims of the configuration.
    var others: [String: JSONValue] = [:]
}
