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
        let announcer = try announcer(request)
        try change(for: request) { turn, accepted in
            let userID = accepted.session.userID
            let id = try emailID(request)
            let email = try turn.makePrimary(id, of: userID, orElse: .emailNotYours(id))
            let isChange = !email.isPrimary
            turn.note(
                "primary address changed", about: email.address,
                "The address \(email.address) is the primary one of the user \(userID) "
                    + (isChange ? "from now on." : "already."))
            guard isChange else { return }
            try announcer.audit(.primaryEmailChanged, userID: userID, address: email.address, in: turn)
            try announcer.announce(.userUpdateEmailPrimary, userID: userID, in: turn)
        }
        return .noContent
    }

    /// The id of an address in the path, in lower case.
    private func emailID(_ request: Request) throws -> String {
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
        let announcer = try announcer(request)
        try change(for: request) { turn, accepted in
            let userID = accepted.session.userID
            let id = try emailID(request)
            let email = try turn.remove(email: id, of: userID, orElse: .emailNotYours(id))
            turn.note(
                "address removed", about: email.address,
                "The address \(email.address) is not the user \(userID)'s any more.")
            try announcer.audit(.emailDeleted, userID: userID, address: email.address, in: turn)
            try announcer.announce(.userUpdateEmailDelete, userID: userID, in: turn)
        }
        return .noContent
    }
}

extension Turn {
    /// - Returns: the address as it was.
    func makePrimary(_ id: String, of userID: String, orElse unknown: HankoRefusal) throws -> Email {
        guard let email = try db.email(id), email.userID == userID else { throw unknown }
        try db.makePrimary(id, of: userID, at: now)
        return email
    }

    func remove(email id: String, of userID: String, orElse unknown: HankoRefusal) throws -> Email {
        guard let email = try db.email(id), email.userID == userID else { throw unknown }
        if email.isPrimary { throw HankoRefusal.primaryStays(email.address) }
        try delete(email)
        return email
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
