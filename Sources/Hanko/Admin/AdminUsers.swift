import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// `GET /users/{id}`: a user with everything.
    ///
    /// - Request: nothing.
    /// - Response: `200`, the ``AdminUser``.
    /// - Errors: 400 when the id is no UUID; 404 `user not found`.
    /// - Source: Hanko 2.7, admin API.
    func adminShowUser(_ request: Request) throws -> Response {
        try .hanko(AdminUser(requireAccount(adminUserID(request))))
    }

    /// `DELETE /users/{id}`: a user and everything that belongs to it.
    ///
    /// - Request: nothing.
    /// - Response: `204`. Webhook `user.delete`, with the user as it was.
    /// - Errors: 400 when the id is no UUID; 404 `user not found`.
    /// - Source: Hanko 2.7, admin API.
    func adminDeleteUser(_ request: Request) throws -> Response {
        try announce(.userDelete, request, of: remove(userID: adminUserID(request)))
        return .noContent
    }

    /// - Returns: the user as it was.
    func remove(userID: String) throws -> Account {
        let account = try world.change { turn -> Account in
            guard let account = try turn.db.account(userID) else {
                throw AdminRefusal.userUnknown(userID)
            }
            try turn.delete(account.user)
            return account
        }
        services.journal.event(
            "user deleted", about: account.primaryEmail?.address ?? userID,
            "The user \(userID) is gone, with addresses, passcodes and sessions.")
        return account
    }
}
