import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// `POST /emails/{id}/set_primary`: chooses the address that passcodes go to.
    ///
    /// - Request: a session.
    /// - Response: `204`.
    /// - Errors: 401; 400 when the id is no UUID; 404 when the address is not the user's.
    /// - Source: Hanko 2.7, classic API.
    func setPrimaryEmail(_ request: Request) throws -> Response {
        let userID = try requireSession(request).session.userID
        let id = try emailID(request)
        let email = try makePrimary(id, of: userID, orElse: .emailNotYours(id))
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

    /// - Returns: the address as it was.
    func makePrimary(_ id: String, of userID: String, orElse unknown: HankoRefusal) throws -> Email {
        try world.change { turn in
            guard let email = try turn.db.email(id), email.userID == userID else { throw unknown }
            try turn.db.makePrimary(id, of: userID, at: turn.now)
            return email
        }
    }

    /// The id of an address in the path, in lower case.
    func emailID(_ request: Request) throws -> String {
        let text = request.parameter("id")
        guard let id = UUIDText.parsed(text) else { throw HankoRefusal.emailIDMalformed(text) }
        return id
    }
}

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
        let id = try emailID(request)
        let email = try remove(email: id, of: userID, orElse: .emailNotYours(id))
        services.journal.event(
            "address removed", about: email.address,
            "The address \(email.address) is not the user \(userID)'s any more.")
        try audit(.emailDeleted, request, userID: userID, address: email.address)
        try announce(.userUpdateEmailDelete, request, userID: userID)
        return .noContent
    }

    func remove(email id: String, of userID: String, orElse unknown: HankoRefusal) throws -> Email {
        try world.change { turn in
            guard let email = try turn.db.email(id), email.userID == userID else { throw unknown }
            if email.isPrimary { throw HankoRefusal.primaryStays(email.address) }
            try turn.delete(email)
            return email
        }
    }
}

extension Hanko {
    /// `GET /emails`: the addresses of the signed-in user.
    ///
    /// - Request: a session.
    /// - Response: `200 [{"id": uuid, "address": "…", "is_verified": bool, "is_primary": bool}]`.
    /// - Errors: 401.
    /// - Source: Hanko 2.7, classic API.
    func listEmails(_ request: Request) throws -> Response {
        let userID = try requireSession(request).session.userID
        let (rules, account) = (try configuration().thirdParty, try account(userID))
        return try .hanko(
            (account?.emails ?? []).map {
                EmailOutput($0, identities: account?.identities ?? [], rules: rules)
            })
    }

    func emails(of userID: String) throws -> [Email] { try database.read { try $0.emails(of: userID) } }
}
