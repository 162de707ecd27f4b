import Essentials
import HTTP
import PlatformKit
import SQLite

/// A session that a request presented and that was accepted.
struct AcceptedSession: Sendable {
    let session: Session
    let claims: SessionClaims
}

extension Hanko {
    /// The session of the request, from `Authorization: Bearer` or else the cookie: the first that is good.
    ///
    /// - Throws: ``HankoRefusal/unauthorized(_:clearedCookie:)``, which clears the cookie when the session lay idle too long.
    func requireSession(_ request: Request) throws -> AcceptedSession {
        do {
            return try presentedSession(request, touching: true)
        } catch let refused as SessionsRefused {
            let cookie = try refused.isIdle ? configuration().session.cookie.cleared : nil
            throw HankoRefusal.unauthorized(refused.faults, clearedCookie: cookie)
        }
    }

    /// Like ``requireSession(_:)``, for those who want to know and not to refuse.
    ///
    /// - Parameter touching: whether this counts as use of the session.
    /// - Throws: ``SessionsRefused``.
    func presentedSession(_ request: Request, touching: Bool) throws -> AcceptedSession {
        let presented = PresentedTokens(request, cookieName: try configuration().session.cookie.name)
        var faults = presented.faults
        for token in [presented.header, presented.cookie].compactMap(\.self) {
            do {
                return try acceptedSession(token, touching: touching)
            } catch let fault as SessionRefusal {
                faults.append(Self.explained(fault, token, request))
            }
        }
        throw SessionsRefused(faults: faults.isEmpty ? [.absent] : faults)
    }

    /// A token that no key of this world signed, or that has not the claims of a session, is perhaps one of another platform.
    private static func explained(_ fault: SessionRefusal, _ token: String, _ request: Request)
        -> SessionRefusal
    {
        guard fault.isForeign, let origin = TokenOrigin(token), origin.isTelling else { return fault }
        return .misplaced(origin.words(at: request))
    }

    /// The session that a token names, if it is still there and not idle for too long; an idle one is deleted.
    ///
    /// - Throws: ``SessionRefusal``.
    func acceptedSession(_ token: String, touching: Bool) throws -> AcceptedSession {
        let claims = try claims(of: token)
        guard let id = claims.sessionID else { throw SessionRefusal.withoutSessionID }
        let idleTimeout = try configuration().session.idleTimeoutSeconds
        return try world.change { turn in
            let condition: SQL = "id = \(id) AND user_id = \(claims.subject)"
            guard var session = try turn.first(Session.self, where: condition) else {
                throw SessionRefusal.removed(id)
            }
            if let idleTimeout, let excess = session.secondsIdle(beyond: idleTimeout, at: turn.now) {
                throw turn.kept(SessionRefusal.idle(seconds: excess, timeout: idleTimeout)) { [session] in
                    try $0.delete(session)
                }
            }
            if touching {
                session.lastUsed = turn.now
                try turn.db.execute("UPDATE hanko_session SET last_used = \(turn.now) WHERE id = \(id)")
            }
            return AcceptedSession(session: session, claims: claims)
        }
    }

    /// The user of the session that may come with a passcode request, from the cookie or else the header. Signature and expiry
    /// count here, not whether the session is still open.
    func presentedUserID(_ request: Request, _ configuration: Configuration) throws -> String? {
        let presented = PresentedTokens(request, cookieName: configuration.session.cookie.name)
        for token in [presented.cookie, presented.header].compactMap(\.self) {
            do {
                return try claims(of: token).subject
            } catch is SessionRefusal {
                continue
            }
        }
        return nil
    }
}

/// None of the tokens that came was good, or none came.
struct SessionsRefused: Error {
    let faults: [SessionRefusal]

    var isIdle: Bool {
        faults.contains(where: \.isIdle)
    }
}

/// Where a request may carry session tokens.
private struct PresentedTokens {
    var header: String?
    var cookie: String?
    /// What is wrong before a token is looked at.
    var faults: [SessionRefusal] = []

    init(_ request: Request, cookieName: String) {
        if let authorization = request.headers["Authorization"] {
            let parts = authorization.utf8.split(separator: UInt8(ascii: " "))
            let scheme = parts.first.map { String(Substring($0)) } ?? ""
            if !scheme.equalsIgnoringCase("Bearer") {
                faults.append(.otherScheme(scheme))
            } else if parts.count == 2 {
                header = String(Substring(parts[1]))
            } else {
                faults.append(.malformed("\(parts.count - 1) words follow \"Bearer\" instead of one"))
            }
        }
        if let value = request.cookie(cookieName), !value.isEmpty { cookie = value }
    }
}
