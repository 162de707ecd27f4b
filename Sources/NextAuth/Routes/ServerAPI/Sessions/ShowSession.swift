import Crypto
import Essentials
import HTTP
import PlatformKit

extension NextAuth {
    /// `GET /servers/{serverid}/sessions/`: whether somebody is logged in on a session, and who.
    ///
    /// - Request: `X-nonce`.
    /// - Response: `200 {"loggedin", "canprovoke", "hsid", "loginqrdata"}`, and `userid`, `accountid`, `pk` of who is logged in; `200`
    ///   also for a nonce that was never seen.
    /// - Errors: 400; 401; 403 without `sessions`; 404 for the server.
    /// - Source: API description 2.2, `getSession`.
    func showSession(_ request: Request) throws -> Response {
        let members = try look { db, _ -> [String: JSONValue] in
            let server = try request.requireServer(.sessions, in: db)
            let hsid = server.hashedSessionID(of: try request.requireNonce())
            let session = try WebSession.find(hsid, of: server.id, in: db)
            for subject in session?.subjects ?? [] { services.journal.concern(subject) }
            let account = try session?.account.flatMap { try Account.find($0, of: server.id, in: db) }
            let data = CodeData(kind: .login, base: request.baseURL, server: server.id, hsid: hsid)
            return JSONValue.members([
                "loggedin": .boolean(account != nil),
                "canprovoke": .boolean(try session.map { try logins.canProvoke($0, in: db) } ?? false),
                "hsid": .string(hsid), "loginqrdata": .string(Base64.encode(Array(data.text.utf8))),
                "userid": account?.user.map(JSONValue.string), "accountid": account.map { .integer($0.id) },
                "pk": account.map { .string($0.standardPublicKey) },
            ])
        }
        return try .json(JSONValue.object(members))
    }

    /// `POST /servers/{serverid}/sessions/logout`: ends the login of a session; the device is told to stop.
    ///
    /// - Request: `X-nonce`.
    /// - Response: `200`, empty, also where nobody was logged in.
    /// - Errors: 400; 401; 403 without `sessions`; 404 for the server.
    /// - Source: API description 2.2, `logout`.
    func logOutSession(_ request: Request) throws -> Response {
        try change { turn in
            let server = try request.requireServer(.sessions, in: turn.db)
            let hsid = server.hashedSessionID(of: try request.requireNonce())
            try logins.logOut(logins.webSession(hsid, of: server.id, in: turn), in: turn)
        }
        return .done
    }

    /// `POST /servers/{serverid}/sessions/registeruser`: gives the account that is logged in on the session to a user.
    ///
    /// - Request: `X-nonce`; `userid` in the query. A user who is not there is made.
    /// - Response: `200`, empty. The device learns it by an event.
    /// - Errors: 400; 401; 403 without `users`, where nobody is logged in, and for a user id that is not allowed; 404 for the server.
    /// - Source: API description 2.2, `registerUser`; the 403 without a login is *assumed*.
    func registerUser(_ request: Request) throws -> Response {
        try change { turn in
            let server = try request.requireServer(.users, in: turn.db)
            let (nonce, user) = (try request.requireNonce(), try request.requireQuery("userid"))
            let account = try requireLogin(nonce, of: server, in: turn).account
            _ = try accounts.attach(account, to: user, in: turn)
        }
        return .done
    }

    /// The session of the nonce, and the account that is logged in there.
    ///
    /// - Throws: ``BackEndRefusal/nobodyLoggedIn``.
    func requireLogin(
        _ nonce: String, of server: Server, in turn: Turn
    ) throws -> (session: WebSession, account: Account) {
        let session = try logins.webSession(server.hashedSessionID(of: nonce), of: server.id, in: turn)
        guard let id = session.account, let account = try Account.find(id, of: server.id, in: turn.db)
        else { throw BackEndRefusal.nobodyLoggedIn }
        return (session, account)
    }
}
