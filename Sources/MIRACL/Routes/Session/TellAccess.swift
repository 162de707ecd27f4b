import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /rps/v2/access`: who waits asks how far the phone is.
    ///
    /// - Request: `{"webOTT"}`.
    /// - Response: `200 {"status", "statusCode": 200, "userId", "redirectURL"?, "signature"}`. The status is `new`, `wid`, `user`, then
    ///   `authenticated`, `signed`, `abort` or `expired`; the URL has the authorization code in it, or leads to a page that posts the code
    ///   (`response_mode=form_post`).
    /// - Errors: `400` without `webOTT`, `404 INVALID_AUTH_SESSION` for one that nobody was given.
    /// - Source: client-js 6; oidc-samples and trust-sdk-android, integration tests. *Assumed*: `abort`, and the `404`.
    func tellAccess(_ request: Request) throws -> Response {
        let session = try sessions.requireSession(webOTT: Members(request).text("webOTT"))
        var members: [String: JSONValue] = [
            "status": .string(session.standing(at: now)), "statusCode": 200,
            "userId": .string(session.userID ?? ""), "signature": .string(session.signature ?? ""),
        ]
        members["redirectURL"] = session.redirectURL.map { target in
            let postsForm = session.authorization?.postsForm ?? false
            return .string(postsForm ? request.baseURL + "/authorize/wait/" + session.webOTT : target)
        }
        return .answer(members)
    }
}

extension AccessSession {
    /// Its state in the words that a browser hears.
    func standing(at now: Date) -> String { isOver || expiresAt > now ? state.rawValue : "expired" }
}
