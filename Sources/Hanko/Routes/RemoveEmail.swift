import HTTP
import PlatformKit

extension Hanko {
    /// `DELETE /emails/{id}`: removes an address of the signed-in user.
    ///
    /// - Request: a session.
    /// - Response: `204`.
    /// - Errors: 401; 409 for the primary address; 404 when the address is not the user's (500 upstream); 400 when the id is
    ///   no UUID.
    /// - Source: Hanko 2.7, classic API.
    func removeEmail(_ request: Request) throws -> Response {
        let userID = try requireSession(request).session.userID
        let email = try emails.remove(emailID(request), of: userID)
        services.journal.event(
            "address removed", about: email.address,
            "The address \(email.address) is not the user \(userID)'s any more.")
        try audit(.emailDeleted, request, userID: userID, address: email.address)
        try announce(.userUpdateEmailDelete, request, userID: userID)
        return .noContent
    }
}
