import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// What mobile clients add to the authorization server: profiles, and counting wrong refresh tokens as wrong PINs.
struct MobileExtension: ServerExtension {
    let registry: DeviceRegistry

    /// A refresh token is good for its own profile alone.
    func accepts(_ grant: Grant, refreshedWith parameters: Form, by _: Client) -> Bool {
        guard let profile = grant.context, let named = parameters.profileID else { return true }
        return named == profile
    }

    func terms(of issue: TokenIssue, in db: Connection) throws -> IssueTerms {
        var terms = try profileTerms(of: issue, in: db)
        // A token that wears out is not renewed. Source: Token Server documentation, “Scopes”.
        if try db.usageLimit(of: issue.grant.scope) > 0 {
            terms.getsRefreshToken = false
        }
        return terms
    }

    /// Registers the user of a mobile client, or notes that one came back. Source: the device protocol.
    private func profileTerms(of issue: TokenIssue, in db: Connection) throws -> IssueTerms {
        // Source: Token Server documentation; other clients have no profiles.
        guard let device = try db.device(issue.client.id),
            let subject = issue.grant.subject
        else { return IssueTerms(members: ["profile_id": "static"]) }
        if issue.grant.type == StatelessGrant.type { return IssueTerms(getsRefreshToken: false) }
        if issue.isRefresh { return try returning(issue, on: device, in: db) }

        guard let application = try db.application(device.application),
            application.allowsUserRegistration
        else { throw ProfileRefusal.registrationOff(application: device.application) }
        let profile = try registry.register(
            subject, as: issue.parameters.profileID, on: device, in: db)
        try registry.noteLogin(profile, on: device, in: db)
        return IssueTerms(
            members: ["profile_id": .string(profile.id)], context: profile.id,
            getsRefreshToken: application.hasPINAuthentication)
    }

    private func returning(_ issue: TokenIssue, on device: Device, in db: Connection) throws -> IssueTerms {
        guard let id = issue.grant.context,
            let profile = try db.profile(id, on: device.clientID)
        else { return IssueTerms() }
        try registry.noteLogin(profile, on: device, in: db)
        return IssueTerms(members: ["profile_id": .string(id)])
    }

    /// Counts a wrong refresh token of a profile. Source: the device protocol.
    func consequence(of failure: RefreshFailure, in db: Connection) throws -> RefreshConsequence? {
        let clientID = failure.client.id
        guard try db.device(clientID) != nil,
            let id = failure.parameters.profileID ?? failure.ownGrant?.context
        else { return nil }
        guard let profile = try db.profile(id, on: clientID) else {
            return RefreshConsequence(try registry.refusal(ofMissing: id, on: clientID, in: db))
        }
        if let end = failure.end(of: profile) {
            let refusal = PINRefusal.profileEnded(
                "\(end.sentence) The profile \(id) is deregistered; its user registers again.")
            return RefreshConsequence(refusal) { db in
                try registry.remove(profile, end.reason, because: end.sentence, in: db)
            }
        }
        let isOwn = failure.grant?.isOf(profile) ?? false
        let finding = (failure.parameters["refresh_token"] ?? "")
            .findingOfRefreshToken(isKnown: failure.reason != .unknown, isOwn: isOwn)
        let counted = try registry.failure(of: profile, .login, finding: finding, in: db)
        return RefreshConsequence(counted.refusal, keep: counted.keep)
    }

    /// `usl`, how often the token may be used; 0 for ever. Source: Token Server documentation, “Access token”.
    func claims(ofAccessTokenFor scope: ScopeList, in db: Connection) throws -> [String: JSONValue] {
        ["usl": .integer(try db.usageLimit(of: scope))]
    }

    func usageLimit(of scope: ScopeList, in db: Connection) throws -> Int {
        try db.usageLimit(of: scope)
    }

    func note(_ event: AuditEvent) {
        AuditLog(registry.world).note(event)
    }

    func note(_ event: AuditEvent, in db: Connection) throws {
        try AuditLog(registry.world).note(event, in: db)
    }
}

extension Form {
    /// Nil when it was sent without a value. Source: RFC 6749 §3.2.
    fileprivate var profileID: String? {
        let id = self["profile_id"]
        return id?.isEmpty == true ? nil : id
    }
}

extension RefreshFailure {
    /// The grant of the token that came, if it is the client's.
    fileprivate var ownGrant: Grant? { grant?.clientID == client.id ? grant : nil }

    /// Why a token that was the profile's present one ends it; nil for what is just a wrong value.
    fileprivate func end(of profile: Profile) -> (reason: TokenEnd.Reason, sentence: String)? {
        guard let grant, grant.isOf(profile), grant.end == nil else { return nil }
        return switch reason {
        case .expired(let date):
            (
                .userRemoved,
                "Its refresh token expired at \(Timestamp.text(date)): it was not used for too long."
            )
        case .reused(let date):
            (
                .reused,
                "Its refresh token of an earlier login, used already at \(Timestamp.text(date)), was used again: somebody else may have it."
            )
        default: nil
        }
    }
}
