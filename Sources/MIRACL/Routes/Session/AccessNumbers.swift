import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /rps/v2/getAccessNumber`: a page of the first generation opens a session, to be named by digits.
    ///
    /// - Request: nothing; the project by header or query.
    /// - Response: `200 {"accessNumber", "webOTT", "ttlSeconds", "localTimeStart", "localTimeEnd"}`: seven digits, the last one a check
    ///   digit; times in milliseconds.
    /// - Errors: `403 FORBIDDEN` for an unknown project.
    /// - Source: Milagro MFA server; milagro-mfa-js-lib.
    func giveAccessNumber(_ request: Request) throws -> Response {
        let project = try requireProject(request)
        let session = try world.change { turn in
            guard let number = try freeAccessNumber(in: turn.db) else {
                throw SessionRefusal.accessNumbersUsedUp
            }
            var session = makeSession(in: project)
            session.accessNumber = number
            try turn.insert(session)
            return session
        }
        return .answer([
            "accessNumber": .string(session.accessNumber ?? ""), "webOTT": .string(session.webOTT),
            "ttlSeconds": .integer(project.sessionSeconds),
            "localTimeStart": .integer(session.createdAt.unixMilliseconds),
            "localTimeEnd": .integer(session.expiresAt.unixMilliseconds),
        ])
    }

    /// One that no open session has; nil when none is found in twenty draws.
    private func freeAccessNumber(in db: Connection) throws -> String? {
        for _ in 1...20 {
            let number = AccessNumber.adding(checkDigitTo: digits(for: "access_number"))
            let holder = try AccessSession.find(number: number, in: db)
            if holder.map({ !$0.isLive(at: now) }) ?? true { return number }
        }
        return nil
    }

    /// `POST /rps/v2/accessNumber`: the same page asks how far the phone is.
    ///
    /// - Request: `{"webOTT"}`.
    /// - Response: `200 {"status", "statusCode": 200, "userId"}`; once the phone proved the PIN, `status` is `authenticate` and there is an
    ///   `authOTT`, with which the page authenticates itself, once and within a minute.
    /// - Errors: `400` without `webOTT`, `404 INVALID_AUTH_SESSION` for one that nobody was given.
    /// - Source: Milagro MFA server; milagro-mfa-js-lib. *Assumed*: the words before and after `authenticate` are those of
    ///   ``tellAccess(_:)``.
    func tellClassicAccess(_ request: Request) throws -> Response {
        let session = try requireSession(webOTT: Members(request).text("webOTT"))
        let isProven = session.state == .authenticated
        var members: [String: JSONValue] = [
            "status": .string(isProven ? "authenticate" : session.standing(at: now)), "statusCode": 200,
            "userId": .string(session.userID ?? ""),
        ]
        if isProven, session.accessNumber != nil { members["authOTT"] = .string(session.webOTT) }
        return .answer(members)
    }

    /// What lets the page of an access number authenticate itself: a verdict of its own, under the secret that it has already.
    func admitPage(of session: AccessSession, as identity: Identity, in turn: Turn) throws {
        guard session.accessNumber != nil else { return }
        let seconds = try project(session.projectID, in: turn.db)?.proofSeconds ?? 60
        try turn.insert(
            ProofVerdict(
                authOTT: session.webOTT, mpinID: identity.mpinID, isRight: true, scope: [],
                expiresAt: time(in: seconds)))
    }
}
