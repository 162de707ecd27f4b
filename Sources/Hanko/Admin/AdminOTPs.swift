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
            throw HankoError.admin(.otpAbsent(userID: account.id))
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
        try removeOTP(of: adminUserParameter(request))
        return .noContent
    }

    func removeOTP(of userID: String) throws {
        try accounts.database.write { db in
            _ = try Self.requireUser(userID, in: db)
            guard try OTPStore.secret(of: userID, in: db) != nil else {
                throw HankoError.admin(.otpAbsent(userID: userID))
            }
            try OTPStore.delete(of: userID, in: db)
        }
        services.journal.event(
            "authenticator app removed", about: userID,
            "The codes of the user \(userID)'s authenticator app are not good any more.")
    }
}
