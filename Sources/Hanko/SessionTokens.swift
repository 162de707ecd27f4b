import Crypto
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
        let p = token.split(separator: ".", omittingEmptySubsequences: false)
        guard p.count == 3, let h = zd(p[0]), let c = zd(p[1]), let s = zd(p[2]),
            let header = try? JSONDecoder().decode(ZZ.self, from: Data(h)) else { return .failure(.malformed("x")) }
        guard try services.keys.published(Hanko.name).contains(where: { $0.kid == header.kid }) else { return .failure(.unknownKey(header.kid)) }
        guard s == SHA256.hash(Array("\(p[0]).\(p[1])".utf8)) else { return .failure(.signatureWrong) }
        guard let claims = try? JSONDecoder().decode(SessionClaims.self, from: Data(c)) else { return .failure(.malformed("x")) }
        let now = services.clock.now()
        let over = now.timeIntervalSince(claims.expirationDate)
        guard over < 0 else { return .failure(.expired(seconds: Int(over), now: now)) }
        return .success(claims)
    }
}
