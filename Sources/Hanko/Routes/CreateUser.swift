import HTTP
import PlatformKit

extension Hanko {
    private struct CreatedUser: Encodable {
        let id: String
        let emailID: String

        enum CodingKeys: String, CodingKey {
            case id
            case userID = "user_id"
            case emailID = "email_id"
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(id, forKey: .id)
            try members.encode(id, forKey: .userID)
            try members.encode(emailID, forKey: .emailID)
        }
    }

    /// `POST /users`: registers a user. Repeated for an address that nobody confirmed, it gives another user id and the same
    /// `email_id`.
    ///
    /// - Request: `{"email": "ada@example.test"}`; the address is lower-cased.
    /// - Response: `200 {"id": uuid, "user_id": uuid, "email_id": uuid}` and the cookie `hanko_email_id`; a session as well
    ///   where addresses need no confirmation.
    /// - Errors: 403 while sign-up is off, checked first; 400; 409 when the address is a user's.
    /// - Source: Hanko 2.7, classic API.
    func createUser(_ request: Request) throws -> Response {
        let configuration = try configuration()
        guard configuration.allowsSignup else { throw HankoError.signupOff }
        let address = try addressInput(request)
        let registration = try users.register(
            address,
            ids: (services.entropy.uuid(for: "hanko.user"), services.entropy.uuid(for: "hanko.email")),
            opening: configuration.email.requiresVerification ? nil : newSession(request, configuration),
            at: services.clock.now())
        note(registration)
        var response = try Response.hanko(
            CreatedUser(id: registration.user.id, emailID: registration.email.id))
        response.headers.add(
            "Set-Cookie", configuration.session.cookie.carryingAddress(registration.email.id))
        if let session = registration.session { try hand(session, to: &response, configuration) }
        try audit(.userCreated, request, userID: registration.user.id, address: address)
        // Where addresses need confirmation the webhooks hear of a user with the first that is confirmed.
        if registration.session != nil { try announce(.userCreate, request, userID: registration.user.id) }
        return response
    }

    private func note(_ registration: UserStore.Registration) {
        let address = registration.email.address
        let fate =
            registration.session == nil
            ? "The address is nobody's until a passcode sent to it comes back."
            : "Addresses need no confirmation here."
        services.journal.event(
            "user created", about: address,
            "The user \(registration.user.id) was created for \(address). "
                + (registration.isNewAddress ? "" : "The address was registered before and never confirmed. ")
                + fate)
    }
}
