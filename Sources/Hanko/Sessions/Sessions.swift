import Essentials
import HTTP
import PlatformKit
import SQLite

/// A session that a request presented and that was accepted.
struct AcceptedSession: Sendable {
    let session: Session
    let claims: SessionClaims
}

/// What a token says of its session.
private struct ReadSession: Sendable {
    let claims: SessionClaims
    /// See ``SessionClaims/oddity(_:_:type:)``.
    let oddity: String?
}

/// What a request says of its session: the claims of tokens that one of the world's keys signed and that are not over, those that count
/// first, and what is wrong with the others. Whether such a session is open, a turn finds out.
struct PresentedSession: Sendable {
    fileprivate let tokens: [Result<ReadSession, SessionRefusal>]
    fileprivate let idleTimeoutSeconds: Double?
    /// Who hears of sessions that lay idle for too long.
    fileprivate let announcer: Announcer

    /// Whether any token is one that a session may belong to.
    var isPromising: Bool { tokens.contains { if case .success = $0 { true } else { false } } }
}

extension Hanko {
    /// One turn of whoever sends `request`, of which the session counts as used also when the turn is refused. It comes from
    /// `Authorization: Bearer` or else the cookie: the first that is good.
    ///
    /// - Throws: ``HankoRefusal/unauthorized(_:clearedCookie:)``, which clears the cookie when the session lay idle too long.
    func change<Value: Sendable>(
        for request: Request, _ body: (Turn, AcceptedSession) throws -> Value
    ) throws -> Value {
        let presented = try sessionReader(request).presented(by: request)
        do {
            return try world.change { turn in
                try turn.accepting(presented, touching: true) { accepted in
                    services.journal.concern(accepted.session.userID)
                    turn.concern(accepted.session.subjects)
                    return try body(turn, accepted)
                }
            }
        } catch let refusal as SessionRefusal {
            let cookie = try refusal.isIdle ? configuration().session.cookie.cleared : nil
            throw HankoRefusal.unauthorized([refusal], clearedCookie: cookie)
        }
    }

    /// The session of a request that changes nothing else.
    ///
    /// - Throws: as ``change(for:_:)``.
    func requireSession(_ request: Request) throws -> AcceptedSession { try change(for: request) { $1 } }

    func sessionReader(_ request: Request) throws -> SessionReader {
        let announcer = try announcer(request)
        return SessionReader(
            tokens: tokens, rules: announcer.configuration.session,
            audience: announcer.configuration.audience, announcer: announcer)
    }
}

/// Finds what requests say of their session, before any turn.
struct SessionReader: Sendable {
    let tokens: SessionTokens
    let rules: SessionConfiguration
    /// What its tokens say.
    let audience: [String]
    let announcer: Announcer

    /// The tokens of the request, for ``PlatformKit/Turn/accepting(_:touching:_:)``.
    func presented(by request: Request) throws -> PresentedSession {
        let presented = PresentedTokens(request, cookieName: rules.cookie.name)
        var checked = presented.faults.map(Result<ReadSession, SessionRefusal>.failure)
        for token in [presented.header, presented.cookie].compactMap(\.self) {
            checked.append(try self.checked(token).mapError { Self.explained($0, token, request) })
        }
        return PresentedSession(
            tokens: checked, idleTimeoutSeconds: rules.idleTimeoutSeconds, announcer: announcer)
    }

    /// A token that came by itself.
    func presented(token: String) throws -> PresentedSession {
        PresentedSession(
            tokens: [try checked(token)], idleTimeoutSeconds: rules.idleTimeoutSeconds, announcer: announcer)
    }

    private func checked(_ token: String) throws -> Result<ReadSession, SessionRefusal> {
        do {
            let (claims, type) = try tokens.read(token)
            guard claims.sessionID != nil else { return .failure(.withoutSessionID) }
            let oddity = claims.oddity(audience, rules.issuer, type: type)
            return .success(ReadSession(claims: claims, oddity: oddity))
        } catch let refusal as SessionRefusal {
            return .failure(refusal)
        }
    }

    /// A token that no key of this world signed, or that has not the claims of a session, is perhaps one of another platform.
    private static func explained(_ fault: SessionRefusal, _ token: String, _ request: Request)
        -> SessionRefusal
    {
        guard fault.isForeign, let origin = TokenOrigin(token), origin.isTelling else { return fault }
        return .misplaced(origin.words(at: request))
    }

    /// The user of the session that may come with a passcode request, from the cookie or else the header. Signature and expiry
    /// count here, not whether the session is still open.
    func userID(of request: Request) throws -> String? {
        let presented = PresentedTokens(request, cookieName: rules.cookie.name)
        for token in [presented.cookie, presented.header].compactMap(\.self) {
            do {
                return try tokens.claims(of: token).subject
            } catch is SessionRefusal {
                continue
            }
        }
        return nil
    }
}

extension Turn {
    /// Runs `body` with the first of the sessions that is open. That it was used stays, whatever comes of `body`, and so does the end of
    /// those that lay idle for too long.
    ///
    /// - Parameter touching: whether this counts as use of the session.
    /// - Throws: ``SessionRefusal`` when none is good; else what `body` throws.
    func accepting<Value>(
        _ presented: PresentedSession, touching: Bool, _ body: (AcceptedSession) throws -> Value
    ) throws -> Value {
        let search = try SessionSearch(presented, touching: touching, in: self)
        try search.leaveTraces(in: self)
        do {
            return try body(search.found.get())
        } catch {
            throw kept(error, search.leaveTraces)
        }
    }
}

/// Which of the sessions of a request is open, and what the search leaves behind.
private struct SessionSearch {
    private(set) var found: Result<AcceptedSession, SessionRefusal>
    private var idle: [Session] = []
    private var used: Session?
    private let announcer: Announcer

    init(_ presented: PresentedSession, touching: Bool, in turn: Turn) throws {
        announcer = presented.announcer
        var refusals: [SessionRefusal] = []
        found = .failure(.absent)
        for token in presented.tokens {
            do {
                let read = try token.get()
                let claims = read.claims
                var session = try Self.session(of: read, in: turn)
                if let timeout = presented.idleTimeoutSeconds,
                    let excess = session.secondsIdle(beyond: timeout, at: turn.now)
                {
                    idle.append(session)
                    throw SessionRefusal.idle(seconds: excess, timeout: timeout)
                }
                if touching { session.lastUsed = turn.now }
                used = touching ? session : nil
                found = .success(AcceptedSession(session: session, claims: claims))
                return
            } catch let refusal as SessionRefusal {
                refusals.append(refusal)
            }
        }
        if !refusals.isEmpty { found = .failure(SessionRefusal(all: refusals)) }
    }

    private static func session(of read: ReadSession, in turn: Turn) throws -> Session {
        guard let id = read.claims.sessionID else { throw SessionRefusal.withoutSessionID }
        let session = try turn.first(Session.self, where: "id = \(id) AND user_id = \(read.claims.subject)")
        guard let session else {
            throw SessionRefusal.removed(id, world: turn.worldElsewhere(of: id), oddity: read.oddity)
        }
        return session
    }

    func leaveTraces(in turn: Turn) throws {
        for session in idle {
            try turn.delete(session)
            try announcer.announce(.sessionDeletePassiveExpire, session, in: turn)
        }
        if let used { try turn.update(used, .lastUsed) }
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
                faults.append(.malformed("\(parts.count - 1) words follow “Bearer” instead of one"))
            }
        }
        if let value = request.cookie(cookieName), !value.isEmpty { cookie = value }
    }
}
