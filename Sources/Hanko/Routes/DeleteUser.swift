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
        guard configuration.allowsDeletion else { throw HankoError.deletionOff }
        let userID = try requireSession(request).session.userID
        guard let account = try accounts.account(userID), try users.delete(userID) else {
            throw HankoError.userGone(userID)
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
