import Essentials
import JOSE
package import PlatformKit
import SQLite

/// Tokens to order.
extension Hanko: MintsTokens {
    package static let tokenKinds = [
        TokenKind(
            "session", "Session token", use: "Authorization: Bearer, such as at /hanko/me", needs: [.user],
            reserved: ["sub", "iat", "exp", "nbf", "aud", "iss", "session_id"]),
        TokenKind(
            "webhook", "Webhook token", use: "the back end that a webhook calls, as “token” of the body",
            needs: [], reserved: ["iat", "exp", "nbf", "aud"]),
    ]

    /// - Throws: `MintRefusal`.
    package func mint(_ order: MintRequest) throws -> MintedToken {
        let configuration = try configuration()
        return order.kind == "webhook"
            ? try mintWebhook(order, configuration) : try mintSession(order, configuration)
    }

    private func mintSession(_ order: MintRequest, _ configuration: Configuration) throws -> MintedToken {
        let user = try order.required(.user)
        let rules = configuration.session
        let new = NewSession(
            id: services.entropy.uuid(for: "hanko.session"), userAgent: nil, ipAddress: nil,
            createdAt: services.clock.now(), lifespanSeconds: order.lifetimeSeconds ?? rules.lifespanSeconds,
            limit: rules.limit, template: rules.template.claims, carrier: "a minted one")
        let opened =
            order.flaw == nil
            ? try world.change { turn in try turn.open(new, for: turn.db.minted(user)) }
            : try database.read { db in
                let id = try db.minted(user)
                return OpenedSession(
                    session: new.session(for: id), email: try db.primaryEmail(of: id), dropped: [])
            }
        return MintedToken(
            try tokens.issue(for: opened, configuration), expiresAt: opened.session.expiresAt,
            isRegistered: order.flaw == nil)
    }

    private func mintWebhook(_ order: MintRequest, _ configuration: Configuration) throws -> MintedToken {
        let claims = WebhookClaims(
            issuedAt: services.clock.now().unixSeconds, audience: configuration.audience,
            event: .userCreate, data: [:])
        let seconds = order.lifetimeSeconds ?? WebhookClaims.lifetimeSeconds
        return MintedToken(
            try tokens.sign(claims.json(lasting: seconds), SigningSubject(Self.name, "webhook")),
            expiresAt: Date(timeIntervalSince1970: Double(claims.issuedAt + seconds)), isRegistered: false)
    }
}

extension Connection {
    /// The id of a user who is named by it or by a mail address.
    ///
    /// - Throws: `MintRefusal`.
    fileprivate func minted(_ name: String) throws -> String {
        if let user = try first(User.self, where: "id = \(name)") { return user.id }
        if let owner = try email(address: name.lowercased())?.userID { return owner }
        let known = try all(User.self, order: "created_at, rowid", limit: 13).map { user in
            try primaryEmail(of: user.id)?.address ?? user.id
        }
        throw MintRefusal.unknown("user", name, known: known)
    }
}
