import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    /// `GET /apikeys/`: the API keys that the calling role has made.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200 {"apikeys": [{"apikey", "description", "role"}]}`.
    /// - Errors: 401; 403 without global `servers`.
    /// - Source: API description 2.2, `getApiKeys`.
    func listAPIKeys(_ request: Request) throws -> Response {
        let keys = try look { db, _ in
            let caller = try request.requireGlobally(.servers, in: db)
            return try db.all(APIKey.self, where: "maker = \(caller.role)")
        }
        return try .json(["apikeys": .array(keys.map(\.json))] as JSONValue)
    }

    /// `POST /apikeys/`: makes a role without permissions, and a key for it.
    ///
    /// - Request: `description` in the query.
    /// - Response: `200 {"apikey", "description", "role"}`.
    /// - Errors: 400 without a description; 401; 403 without global `servers`.
    /// - Source: API description 2.2, `createApiKey`.
    func createAPIKey(_ request: Request) throws -> Response {
        let key = try change { turn in
            let caller = try request.requireGlobally(.servers, in: turn.db)
            let key = APIKey(
                key: services.entropy.token(32, for: "apikey"),
                role: services.entropy.pathSafeBase64(for: "role"),
                description: try request.requireQuery("description"), maker: caller.role)
            try turn.insert(key)
            return key
        }
        return try .json(key.json)
    }
}
