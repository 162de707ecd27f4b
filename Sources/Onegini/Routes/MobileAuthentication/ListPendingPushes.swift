import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `GET /sdk/v1/mobile-auth/pending`: pushes that wait on this device.
    ///
    /// - Request: user's access token, for the pushes of its profile, or the device's client credentials, for those of all.
    /// - Response: `200 {"pending": [{"transaction_id", "profile_id", "message", "date", "time_to_live"}]}`, oldest first; both
    ///   numbers are milliseconds, the second from now on.
    /// - Errors: `invalid_token` 9010, `invalid_client` 9002, `user_deregistered` 9003, `mobile_auth_disabled` 9017.
    /// - Source: the device protocol.
    func listPendingPushes(_ request: Request) throws -> Response {
        let (clientID, profileID) = try pendingScope(request)
        _ = try handling.requireMobileAuthentication()
        let now = services.clock.now()
        let pending = try database.read { db in
            try db.all(
                MobileTransaction.self,
                where: """
                    device_id = \(clientID) AND state = \(MobileTransactionState.initialized.rawValue)
                    AND profile_id = coalesce(\(profileID), profile_id) AND expires_at > \(now)
                    """, order: "created_at, position",
                // Secure messages are not told here.
                making: { $0.shortened(to: 0) })
        }
        let items = pending.map { transaction -> JSONValue in
            [
                "transaction_id": .string(transaction.id),
                "profile_id": .string(transaction.profileID ?? ""),
                "message": .string(transaction.message),
                "date": .integer(transaction.createdAt.unixMilliseconds),
                "time_to_live": .integer(transaction.expiresAt.unixMilliseconds - now.unixMilliseconds),
            ]
        }
        return .oauth(["pending": .array(items)])
    }

    /// The device, and the profile if the request is a user's.
    private func pendingScope(_ request: Request) throws -> (clientID: String, profileID: String?) {
        let scheme = request.headers["Authorization"]?.split(separator: " ").first.map(String.init) ?? ""
        if scheme.equalsIgnoringCase("Basic") {
            return (try authentication.requireDevice(request).client.id, nil)
        }
        let user = try authentication.requireUser(request)
        return (user.client.id, user.profile.id)
    }
}
