import Essentials
import JOSE
import PlatformKit

/// Tokens of sessions and webhooks: JWTs signed with RS256 by the world's key. Not inside of a turn: the keys are asked for by another way
/// than its connection.
struct SessionTokens: Sendable {
    let services: Services

    /// The token of a session that was opened.
    func issue(for opened: OpenedSession, _ configuration: Configuration) throws -> String {
        var claims = SessionClaims(opened, configuration)
        // What the world says of the times in tokens, see ``WorldClock/issuingTime``.
        let shift = services.clock.issuingTime().timeIntervalSince(services.clock.now())
        claims.issuedAt += Int(saturating: shift, .toNearestOrAwayFromZero)
        return try sign(claims.json, SigningSubject(Hanko.name, "session", user: claims.subject))
    }

    /// A JWT with these claims, by the newest key.
    func sign(_ claims: JSONValue, _ order: SigningSubject) throws -> String {
        let key = try services.memo.value("hanko.signing") { try services.keys.signing(Hanko.name, .rs256) }
        return try services.sign(claims, order, with: key)
    }

    /// What a token says, when one of the world's keys signed it and its time is not over. Nothing else is looked at.
    func claims(of token: String) throws -> SessionClaims { try read(token).claims }

    /// The same with the type of the header.
    func read(_ token: String) throws -> (claims: SessionClaims, type: String?) {
        let (claims, type): (SessionClaims, String?)
        do {
            let verified = try JWS.verify(token, keys: published())
            (claims, type) = (try verified.decode(SessionClaims.self), verified.header.type)
        } catch let error as JOSEError {
            throw SessionRefusal(error)
        }
        // The development keys are public: what they signed need not make sense.
        guard SessionClaims.times.contains(claims.issuedAt), SessionClaims.times.contains(claims.expiration)
        else {
            throw SessionRefusal.malformed("its times lie outside of the years 1970 to 9999")
        }
        let now = services.clock.now()
        let secondsOver = now.timeIntervalSince(claims.expirationDate)
        guard secondsOver < 0 else {
            throw SessionRefusal.expired(seconds: Int(saturating: secondsOver), now: now)
        }
        // The original's library looks at it, though the original never says it.
        if let nbf = claims.others["nbf"]?.integer, Double(nbf) > now.timeIntervalSince1970 {
            throw SessionRefusal.notYetValid(seconds: Double(nbf) - now.timeIntervalSince1970, now: now)
        }
        return (claims, type)
    }

    /// The public halves of all keys that tokens may be signed with, the newest first: the RS256 keys alone.
    func published() throws -> [JWK] {
        try services.memo.value("hanko.keys") {
            try services.keys.published(Hanko.name).filter { $0.algorithm == .rs256 }.map(\.jwk)
        }
    }
}

extension Hanko {
    var tokens: SessionTokens { SessionTokens(services: services) }
}

extension SessionRefusal {
    fileprivate init(_ error: JOSEError) {
        switch error {
        case .keyUnknown(let keyID, _): self = .unknownKey(keyID ?? "")
        case .signatureWrong: self = .signatureWrong
        default: self = .malformed(error.description)
        }
    }
}
