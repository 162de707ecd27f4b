import HTTP
import PlatformKit

extension Hanko {
    /// `DELETE /user`: the signed-in user and everything that belongs to it.
    ///
    /// - Request: a session.
    /// - Response: `204`; the session cookie is cleared.
    /// - Errors: 405 unless `account.allow_deletion` is true; 401.
    /// - Source: Hanko 2.7, classic API.
    func deleteUser(_ request: Request) throws -> Response {
        let configuration = try configuration()
        guard configuration.account.allowsDeletion else { throw HankoRefusal.deletionOff }
        let userID = try requireSession(request).session.userID
        let account = try world.change { turn in
            guard let account = try turn.db.account(userID) else { throw HankoRefusal.userGone(userID) }
            try turn.delete(account.user)
            return account
        }
        services.journal.event(
            "user deleted", about: userID,
            "The user \(userID) is gone, with addresses, passcodes and sessions.")
        try audit(.userDeleted, request, userID: userID, address: account.primaryEmail?.address)
        try announce(.userDelete, request, of: account)
        var response = Response.noContent
        response.headers.add("Set-Cookie", configuration.session.cookie.cleared)
        return response
    }
}
