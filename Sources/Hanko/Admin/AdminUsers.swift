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
        let (userID, announcer) = (try adminUserID(request), try announcer(request))
        try world.change { try announcer.remove(userID: userID, in: $0) }
        return .noContent
    }
}

extension Announcer {
    func remove(userID: String, in turn: Turn) throws {
        let account = try turn.db.requireAccount(userID)
        try turn.delete(account.user)
        turn.note(
            "user deleted", about: account.primaryEmail?.address ?? userID,
            "The user \(userID) was deleted, with addresses, passcodes and sessions.")
        try announce(.userDelete, of: account, in: turn)
    }
}
