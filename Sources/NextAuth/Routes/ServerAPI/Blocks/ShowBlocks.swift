import Essentials
import HTTP
import PlatformKit

extension NextAuth {
    /// `GET /servers/{serverid}/sessions/html/login`, also POST: the login block of a session.
    ///
    /// - Request: `X-nonce`; a UserContext, if any.
    /// - Response: `200`, HTML: the code, a link to the app for phones, and a button instead where a login can be pushed; who is
    ///   logged in where somebody is. The element has the class `nextauth-block`.
    /// - Errors: 400; 401; 403 without `sessions`; 404 for the server.
    /// - Source: API description 2.2, `getHtmlLogin`; Server SDK, “HTML block”.
    func showLoginBlock(_ request: Request) throws -> Response {
        let html = try change { turn in
            let server = try request.requireServer(.sessions, in: turn.db)
            let (session, data) = try loginCode(of: server, request, in: turn)
            var block = Block(purpose: .login, server: server, data: data)
            block.canProvoke = try logins.canProvoke(session, in: turn.db)
            if let account = try session.account.flatMap({ try Account.find($0, of: server.id, in: turn.db) }
            ) {
                block.user = account.user ?? account.name
            }
            return try block.html.text
        }
        return .html(html)
    }

    /// `GET /servers/{serverid}/sessions/html/enrol`: the block of an enrolment.
    ///
    /// - Request: `X-nonce`; `name`: what the app shows for the account, or else the user id, or else the server's name; `userid`.
    /// - Response: `200`, HTML, as for a login.
    /// - Errors: 400; 401; 403 without `sessions`, and for a user id that is not allowed; 404 for the server.
    /// - Source: API description 2.2, `getHtmlEnrol`; what stands for a missing name is *assumed*.
    func showEnrolmentBlock(_ request: Request) throws -> Response {
        let query = request.queryItems
        let html = try change { turn in
            let server = try request.requireServer(.sessions, in: turn.db)
            let name = query["name"] ?? query["userid"] ?? server.name
            let data = try enrolmentCode(of: server, request.requireNonce(), name, request, in: turn)
            return try Block(purpose: .enrol, server: server, data: data).html.text
        }
        return .html(html)
    }
}
