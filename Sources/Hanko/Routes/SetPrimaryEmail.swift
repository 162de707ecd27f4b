import HTTP
import PlatformKit

extension Hanko {
    /// `POST /emails/{id}/set_primary`: chooses the address that passcodes go to.
    ///
    /// - Request: a session.
    /// - Response: `204`.
    /// - Errors: 401; 400 when the id is no UUID; 404 when the address is not the user's.
    /// - Source: Hanko 2.7, classic API.
    func setPrimaryEmail(_ request: Request) throws -> Response {
        let userID = try requireSession(request).session.userID
        let email = try emails.makePrimary(emailID(request), of: userID, at: services.clock.now())
        let isChange = !email.isPrimary
        services.journal.event(
            "primary address changed", about: email.address,
            "The address \(email.address) is the primary one of the user \(userID) "
                + (isChange ? "from now on." : "already."))
        if isChange {
            try audit(.primaryEmailChanged, request, userID: userID, address: email.address)
            try announce(.userUpdateEmailPrimary, request, userID: userID)
        }
        return .noContent
    }

    /// The id of an address in the path, in lower case.
    func emailID(_ request: Request) throws -> String {
        let text = request.parameter("id")
        guard let id = UUIDText.parsed(text) else { throw HankoError.emailIDMalformed(text) }
        return id
    }
}
