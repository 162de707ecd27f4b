import HTTP
import PlatformKit

extension NextAuth {
    /// Where web pages watch their sessions: the path that the standard `wsurl` names, and that of an installation of the vendor's.
    static let webSocketRoutes: [Route<NextAuth>] = [
        .get("/ws", NextAuth.watchSessions), .get("/ns/sigmai", NextAuth.watchSessions),
    ]

    /// `GET /ws`, `/ns/sigmai`: a WebSocket that tells what happens to sessions.
    ///
    /// - Request: text messages `TYPE HSID SERVERID`, the ids in base64url. `REGISTER` watches a session, of up to 100 on one socket;
    ///   `PROVOKE` pushes a login like provokelogin; `LOGOUT` logs the session out. Others are ignored, and the journal says so.
    /// - Response: `101`; then messages of the same form. `REGISTER` is answered at once by `LOGIN`, or by `LOGOUT` and `CANPROVOKE`
    ///   where a push is possible; both come again at each change, and `CONFIRMSCAN`, `CONFIRMPROVOKE`, `CANCEL`, `NOACCOUNTS`.
    ///   Pages of every origin may connect: the id of the session is the secret.
    /// - Errors: 426 and 400 for what is no handshake; closed with 1008 for the session number 101, 1003 for a binary message, 1009
    ///   for one of more than 4 KiB.
    /// - Source: Server SDK, “WebSocket”; the limits are ours.
    func watchSessions(_ request: Request) throws -> Response {
        let watch = SessionWatch(self)
        return try request.webSocket(
            messageBytes: 4096, kinds: .text,
            received: { message, sender in try watch.receive(message.text ?? "", from: sender) },
            closed: { _, _ in watch.end() })
    }
}
