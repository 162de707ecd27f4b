import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// The user data store, at `/user-data-store`: a product of its own, with what it takes for the tests of the mobile SDKs.
    static let userDataRoutes: [Route<PowerAuth>] = [
        .post("/public/user-claims", PowerAuth.setUserClaims),
        .get("/private/user-claims", PowerAuth.showUserClaims),
    ]

    /// `POST /public/user-claims?userId=`: what is known of a user from now on.
    ///
    /// - Request: an object of claims of OpenID Connect.
    /// - Response: `200 {"status": "OK"}`.
    /// - Errors: 401; `ERROR_REQUEST`.
    /// - Source: published tests of the mobile SDKs; the response is *assumed*.
    func setUserClaims(_ request: Request) throws -> Response {
        _ = try requireBackOffice(request)
        let user = try request.requireQuery("userId")
        let claims = try Members.API.cloud.object(of: request)
        try world.change { try $0.save(UserClaims(user: user, claims: claims)) }
        return .cloudOK
    }

    /// `GET /private/user-claims?userId=`: what is known of a user.
    ///
    /// - Request: nothing.
    /// - Response: `200` with the claims; an empty object for a user of whom nothing is known.
    /// - Errors: 401; `ERROR_REQUEST`.
    /// - Source: published source of the enrollment server, which calls it.
    func showUserClaims(_ request: Request) throws -> Response {
        _ = try requireBackOffice(request)
        let user = try request.requireQuery("userId")
        return .flat(try database.read { try UserClaims.find(user, in: $0) } ?? [:])
    }
}

/// What is told to apps about a user: OpenID Connect claims as they were put here. Source: OpenID Connect Core §5.1.
struct UserClaims: Record, Equatable {
    static let table = Table("powerauth_user_claims", key: "user")

    let user: String
    let claims: [String: JSONValue]

    /// With `sub`; nil when there is nothing to tell.
    static func find(_ user: String, in db: Connection) throws -> [String: JSONValue]? {
        guard var claims = try db.first(UserClaims.self, where: "user = \(user)")?.claims else { return nil }
        claims["sub"] = .string(user)
        return claims
    }

    /// What apps are told: the claims that are stored, or the least of them.
    static func told(of user: String, _ entropy: Entropy, in turn: Turn) throws -> [String: JSONValue] {
        try find(user, in: turn.db) ?? [
            "sub": .string(user), "iat": .integer(turn.now.milliseconds / 1000),
            "jti": .string(entropy.uuid(for: "powerauth.user-info")),
        ]
    }
}
