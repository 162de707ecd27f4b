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
        let project = try projects.require(request)
        let session = try world.change { turn in
            guard let number = try sessions.freeAccessNumber(in: turn.db) else {
                throw SessionRefusal.accessNumbersUsedUp
            }
            var session = sessions.makeSession(in: project, request)
            // It is typed, and stands in no symbol.
            (session.accessNumber, session.qrURL) = (number, nil)
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

    /// `POST /rps/v2/accessNumber`: the same page asks how far the phone is.
    ///
    /// - Request: `{"webOTT"}`.
    /// - Response: `200 {"status", "statusCode": 200, "userId"}`; once the phone proved the PIN, `status` is `authenticate` and there is an
    ///   `authOTT`, with which the page authenticates itself, once and within a minute.
    /// - Errors: `400` without `webOTT`, `404 INVALID_AUTH_SESSION` for one that nobody was given.
    /// - Source: Milagro MFA server; milagro-mfa-js-lib. *Assumed*: the words before and after `authenticate` are those of
    ///   ``tellAccess(_:)``.
    func tellClassicAccess(_ request: Request) throws -> Response {
        let session = try sessions.requireSession(webOTT: Members(request).text("webOTT"))
        let isProven = session.state == .authenticated
        var members: [String: JSONValue] = [
            "status": .string(isProven ? "authenticate" : session.standing(at: now)), "statusCode": 200,
            "userId": .string(session.userID ?? ""),
        ]
        if isProven, session.accessNumber != nil { members["authOTT"] = .string(session.webOTT) }
        return .answer(members)
    }
}
