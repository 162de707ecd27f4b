import Essentials
import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    /// Source: API description 2.2, `HtmlFooterBody`.
    private struct FooterInput: Decodable {
        struct Session: Decodable {
            let serverid: String
            let sessionid: String
        }

        let sessions: [Session]?
    }

    /// `GET /servers/{serverid}/sessions/html/footer`, also POST: style and script of a page with blocks.
    ///
    /// - Request: `X-nonce`; `{"sessions": [{"serverid", "sessionid"}]}` for further sessions to watch, if any, at most 99.
    /// - Response: `200`, HTML. The page is loaded again when one of the sessions is logged in or out.
    /// - Errors: 400; 401; 403 without `sessions` on each of the servers; 404 for a server.
    /// - Source: API description 2.2, `getHtmlFooter`; Server SDK, “HTML block”.
    func showFooter(_ request: Request) throws -> Response {
        let html = try look { db, _ in
            let server = try request.requireServer(.sessions, in: db)
            var watched = [try footerSession(request.requireNonce(), of: server, request, in: db)]
            let input = request.body.isEmpty ? nil : try request.json(FooterInput.self)
            guard (input?.sessions?.count ?? 0) < SessionWatch.sessionLimit else {
                throw BackEndRefusal.inputInvalid(
                    "A page watches at most \(SessionWatch.sessionLimit) sessions, its own included.")
            }
            let caller = try request.caller(in: db)
            for session in input?.sessions ?? [] {
                let server = try Server.require(session.serverid, in: db)
                try caller.require(.sessions, on: server.id)
                watched.append(try footerSession(session.sessionid, of: server, request, in: db))
            }
            return Footer(sessions: watched).html.text
        }
        return .html(html)
    }

    private func footerSession(
        _ nonce: String, of server: Server, _ request: Request, in db: Connection
    ) throws -> Footer.Session {
        let hsid = server.hashedSessionID(of: nonce)
        let session = try WebSession.find(hsid, of: server.id, in: db)
        return Footer.Session(
            session: WatchedSession(hsid: hsid, server: server.id),
            address: server.webSocketURL(for: request), isLoggedIn: session?.state == .loggedIn)
    }
}
