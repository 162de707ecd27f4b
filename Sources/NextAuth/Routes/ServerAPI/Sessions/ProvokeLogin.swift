import Essentials
import HTTP
import PlatformKit

extension NextAuth {
    /// `POST /servers/{serverid}/sessions/provokelogin`: pushes a login to the account that was logged in last on the session.
    ///
    /// - Request: `X-nonce`; a UserContext, if any.
    /// - Response: `200`, empty.
    /// - Errors: 400; 401; 403 without `sessions`, and where `canprovoke` is false; 404 for the server.
    /// - Source: API description 2.2, `provokeLogin`; Server SDK, “Push”; the 403 is *assumed*.
    func provokeLogin(_ request: Request) throws -> Response {
        try change { turn in
            let server = try request.requireServer(.sessions, in: turn.db)
            let session = try logins.openWebSession(
                request.requireNonce(), of: server, request.userContext(), in: turn)
            try logins.provoke(session, in: turn)
        }
        return .done
    }

    /// `POST /servers/{serverid}/accounts/{accountid}/provokelogin`: pushes a login on the session to one account.
    ///
    /// - Request: `X-nonce`; a UserContext, if any. The account must never be what an unknown person says.
    /// - Response: `200`, empty.
    /// - Errors: 400; 401; 403 without `sessions` or `accounts`, and for a blocked account; 404 for server or account.
    /// - Source: API description 2.2, `provokeLoginOnAccount`; Server SDK, “Push”.
    func provokeLoginOfAccount(_ request: Request) throws -> Response {
        try change { turn in
            let server = try request.requireServer([.sessions, .accounts], in: turn.db)
            let nonce = try request.requireNonce()
            let account = try request.requireAccount(of: server, in: turn.db)
            let session = try logins.openWebSession(nonce, of: server, request.userContext(), in: turn)
            try logins.provoke(account, session, in: turn)
        }
        return .done
    }

    /// `POST /servers/{serverid}/users/{userid}/provokelogin`: pushes a login on the session to all accounts of a user.
    ///
    /// - Request: `X-nonce`; a UserContext, if any. The user must never be whom an unknown person names.
    /// - Response: `200`, empty.
    /// - Errors: 400; 401; 403 without `sessions` or `users`, and for a user without an account that is not blocked; 404 for server
    ///   or user.
    /// - Source: API description 2.2, `provokeLoginOnUser`; Server SDK, “Push”.
    func provokeLoginOfUser(_ request: Request) throws -> Response {
        try change { turn in
            let server = try request.requireServer([.sessions, .users], in: turn.db)
            let nonce = try request.requireNonce()
            let user = try request.requireUser(of: server, in: turn.db)
            let session = try logins.openWebSession(nonce, of: server, request.userContext(), in: turn)
            let usable = try Account.all(of: server.id, user: user.id, in: turn.db)
                .filter { !$0.isBlocked }
            guard !usable.isEmpty else {
                throw BackEndRefusal.provocationImpossible(
                    because: "The user \(user.id) has no account that could log in.")
            }
            for account in usable { try logins.provoke(account, session, in: turn) }
        }
        return .done
    }
}
