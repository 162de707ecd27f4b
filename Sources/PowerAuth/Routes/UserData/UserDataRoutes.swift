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
