import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// `GET /users/{id}/otp`: whether there is an authenticator app, and since when.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"id", "created_at"}`.
    /// - Errors: 400 when the id is no UUID; 404 for no app and for no such user.
    /// - Source: Hanko 2.7, admin API.
    func adminShowOTP(_ request: Request) throws -> Response {
        let account = try requireAccount(adminUserParameter(request))
        guard let secret = account.otpSecret else {
            throw AdminRefusal.otpAbsent(userID: account.id)
        }
        return try .hanko(AdminOTP(secret))
    }

    /// `DELETE /users/{id}/otp`: takes the authenticator app away.
    ///
    /// - Request: nothing.
    /// - Response: `204`.
    /// - Errors: 400 when the id is no UUID; 404 for no app and for no such user.
    /// - Source: Hanko 2.7, admin API.
    func adminRemoveOTP(_ request: Request) throws -> Response {
        let userID = try adminUserParameter(request)
        try world.change { try $0.removeOTP(of: userID) }
        return .noContent
    }
}

extension Turn {
    func removeOTP(of userID: String) throws {
        _ = try db.requireUser(userID)
        guard let secret = try db.otpSecret(of: userID) else { throw AdminRefusal.otpAbsent(userID: userID) }
        try delete(secret)
        note(
            "authenticator app removed", about: userID,
            "The codes of the user \(userID)'s authenticator app are not good any more.")
    }
}
