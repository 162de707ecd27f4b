import Essentials
import OpenID
import PlatformKit
import SQLite

// How a good proof reaches the browser that waits for it.
extension MIRACL {
    /// The session that an access code or an access number names, as long as it can be finished.
    ///
    /// - Parameter wid: what the client sent as `WID`, `wid` or `accessId`.
    func liveSession(_ wid: String, in db: Connection) throws -> AccessSession? {
        let session = try AccessSession.find(wid, in: db) ?? AccessSession.find(number: wid, in: db)
        return session.flatMap { $0.isLive(at: now) ? $0 : nil }
    }

    /// Ends a session well: from now on its browser is told who signed in, and where to go.
    ///
    /// - Parameter session: a live one, read in the same turn.
    /// - Returns: the authorization code, which also stands in the session's `redirectURL`; nil for a session that leads to none, or
    ///   whose application is gone.
    @discardableResult
    func complete(_ session: AccessSession, as identity: Identity, in turn: Turn) throws -> String? {
        var session = session
        session.state = .authenticated
        session.userID = identity.userID
        let code = try session.authorization.flatMap { checked in
            try server.makeCode(
                for: checked, subject: identity.userID, amr: Self.proofMethods, context: identity.mpinID,
                in: turn.db)
        }
        if let code { session.redirectURL = session.authorization?.redirect(with: code) }
        try turn.update(session)
        try admitPage(of: session, as: identity, in: turn)
        return code
    }

    /// `amr` of whoever proved the PIN. Source: oidc-samples, integration tests.
    static let proofMethods = ["token"]
}
