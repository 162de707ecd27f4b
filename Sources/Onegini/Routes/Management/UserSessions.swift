import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `GET /api/v1/users/{userId}/sessions`: where the user is logged in with a browser.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`.
    /// - Response: `200 {"result":[{session_id, auth_time, last_iat?, user_agent, location:{ip_address}, clients:[{id,name}],
    ///   saml_service_providers:[]}]}`, times in ISO 8601.
    /// - Errors: 401; 403 `insufficient_permissions`; 404 `No sessions found`.
    /// - Source: Token Server documentation, user session API.
    func listUserSessions(_ request: Request) throws -> Response {
        try access.requireEndUser(request)
        let user = request.parameter("userId")
        let now = server.now
        let listed = try database.read { db in
            try server.sessions.all(of: user, in: db).filter { now < $0.expiresAt }.map {
                try sessionMembers($0, in: db)
            }
        }
        return try .list("result", listed, of: user, what: "sessions")
    }

    /// `DELETE /api/v1/users/{userId}/sessions`: ends all sessions of the user.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`; query `removeTokens`, true when left out.
    /// - Response: 204, also when there was none.
    /// - Errors: 400 `invalid_request`; 401; 403 `insufficient_permissions`.
    /// - Source: Token Server documentation, user session API.
    func removeUserSessions(_ request: Request) throws -> Response {
        try access.requireEndUser(request)
        return try removeSessions(request) { _ in true }
    }

    /// `DELETE /api/v1/users/{userId}/sessions/{sessionId}`: ends one session.
    ///
    /// - Request: credentials of an API client with `onegini_api_end_user`; query `removeTokens`, true when left out.
    /// - Response: 204, also for a session that is unknown or another user's.
    /// - Errors: 400 `invalid_request`; 401; 403 `insufficient_permissions`.
    /// - Source: Token Server documentation, user session API.
    func removeUserSession(_ request: Request) throws -> Response {
        try access.requireEndUser(request)
        let id = request.parameter("sessionId")
        return try removeSessions(request) { $0.id == id }
    }

    private func removeSessions(_ request: Request, _ isMeant: (BrowserSession) -> Bool) throws -> Response {
        let user = request.parameter("userId")
        let removesTokens = try flag("removeTokens", of: request) ?? true
        let meant = try world.change { turn in
            let meant = try server.sessions.all(of: user, in: turn.db).filter(isMeant).map(\.id)
            for id in meant where removesTokens {
                try server.grants.end(.init(sessionID: id), .loggedOut, at: turn.now, in: turn.db)
            }
            return meant
        }
        // Clients that listen at their server hear of it.
        for id in meant { try server.endSession(id) }
        return .managementDone
    }

    private func sessionMembers(_ session: BrowserSession, in db: Connection) throws -> JSONValue {
        let clients = try (session.clients ?? []).map { part -> JSONValue in
            let name = try server.clients.find(part.clientID, in: db)?.name ?? part.clientID
            return ["id": .string(part.clientID), "name": .string(name)]
        }
        var members: [String: JSONValue] = [
            "session_id": .string(session.id),
            "auth_time": .string(Timestamp.text(session.authenticatedAt)),
            "user_agent": .string(session.userAgent),
            "location": ["ip_address": .string(session.ipAddress)],
            "clients": .array(clients),
            "saml_service_providers": [],
        ]
        let issued = try server.grants.all(.init(sessionID: session.id), in: db).flatMap {
            try server.accessTokens.ofGrant($0.id, in: db).map(\.issuedAt)
        }
        if let last = issued.max() { members["last_iat"] = .string(Timestamp.text(last)) }
        return .object(members)
    }

    /// - Throws: ``AdministrationRefusal/invalid(_:)`` for a value that is neither `true` nor `false`.
    private func flag(_ name: String, of request: Request) throws -> Bool? {
        guard let text = Form(request.query ?? "")[name] else { return nil }
        switch text.asciiLowercased {
        case "true": return true
        case "false": return false
        default: throw AdministrationRefusal.invalid(name, "must be true or false, not “\(text)”")
        }
    }
}
