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
        let announcer = try announcer(request)
        try change(for: request) { turn, accepted in
            let userID = accepted.session.userID
            guard let account = try turn.db.account(userID) else { throw HankoRefusal.userGone(userID) }
            try turn.delete(account.user)
            turn.note(
                "user deleted", about: userID,
                "The user \(userID) was deleted, with addresses, passcodes and sessions.")
            try announcer.audit(
                .userDeleted, userID: userID, address: account.primaryEmail?.address, in: turn)
            try announcer.announce(.userDelete, of: account, in: turn)
        }
        var response = Response.noContent
        response.headers.add("Set-Cookie", configuration.session.cookie.cleared)
        return response
    }
}
