import Essentials
import HTTP
import PlatformKit

/// A session that a request presented and that was accepted.
struct AcceptedSession: Sendable {
    let session: Session
    let claims: SessionClaims
}

extension Hanko {
    /// The session of the request, from `Authorization: Bearer` or else the cookie: the first that is good.
    ///
    /// - Throws: ``HankoError/unauthorized(_:clearedCookie:)``, which clears the cookie when the session lay idle too long.
    func requireSession(_ request: Request) throws -> AcceptedSession {
        switch try presentedSession(request, touching: true) {
        case .success(let accepted): return accepted
        case .failure(let refused):
            let cookie = try refused.isIdle ? configuration().session.cookie.cleared : nil
            throw HankoError.unauthorized(refused.faults, clearedCookie: cookie)
        }
    }

    /// Like ``requireSession(_:)``, for those who want to know and not to refuse.
    ///
    /// - Parameter touching: whether this counts as use of the session.
    func presentedSession(
        _ request: Request, touching: Bool
    ) throws -> Result<AcceptedSession, SessionsRefused> {
        let presented = PresentedTokens(request, cookieName: try configuration().session.cookie.name)
        var faults = presented.faults
        for token in [presented.header, presented.cookie].compactMap(\.self) {
            switch try acceptedSession(token, touching: touching) {
            case .success(let accepted): return .success(accepted)
            case .failure(let fault): faults.append(Self.explained(fault, token, request))
            }
        }
        return .failure(SessionsRefused(faults: faults.isEmpty ? [.absent] : faults))
    }

    /// A token that no key of this world signed, or that has not the claims of a session, is perhaps one of another platform.
    private static func explained(_ fault: SessionFault, _ token: String, _ request: Request) -> SessionFault
    {
        switch fault {
        case .unknownKey, .malformed, .withoutSessionID:
            guard let origin = TokenOrigin(token), origin.isTelling else { return fault }
            return .misplaced(origin.words(at: request))
        default: return fault
        }
    }

    func acceptedSession(_ token: String, touching: Bool) throws -> Result<AcceptedSession, SessionFault> {
        let claims: SessionClaims
        switch try self.claims(of: token) {
        case .failure(let fault): return .failure(fault)
        case .success(let good): claims = good
        }
        guard let id = claims.sessionID else { return .failure(.withoutSessionID) }
        return try sessions.accept(
            id, of: claims.subject, idleTimeoutSeconds: configuration().session.idleTimeoutSeconds,
            touching: touching, at: services.clock.now()
        ).map { AcceptedSession(session: $0, claims: claims) }
    }

    /// The user of the session that may come with a passcode request, from the cookie or else the header. Signature and expiry
    /// count here, not whether the session is still open.
    func presentedUserID(_ request: Request, _ configuration: Configuration) throws -> String? {
        let presented = PresentedTokens(request, cookieName: configuration.session.cookie.name)
        for token in [presented.cookie, presented.header].compactMap(\.self) {
            if case .success(let claims) = try claims(of: token) { return claims.subject }
        }
        return nil
    }
}

/// None of the tokens that came was good, or none came.
struct SessionsRefused: Error {
    let faults: [SessionFault]

    var isIdle: Bool {
        faults.contains { if case .idle = $0 { true } else { false } }
    }
}

/// Where a request may carry session tokens.
private struct PresentedTokens {
    var header: String?
    var cookie: String?
    /// What is wrong before a token is looked at.
    var faults: [SessionFault] = []

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
