import HTTP
import PlatformKit

extension Hanko {
    private struct CreatedUser: Encodable {
        let id: String
        let emailID: String
        /// With the members of versions before 0.4.
        let full: Full?

        struct Full {
            let email: Email
            let user: User
        }

        enum CodingKeys: String, CodingKey {
            case id
            case userID = "user_id"
            case emailID = "email_id"
            case email, verified
            case createdAt = "created_at"
            case updatedAt = "updated_at"
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(id, forKey: .id)
            try members.encode(id, forKey: .userID)
            try members.encode(emailID, forKey: .emailID)
            guard let full else { return }
            try members.encode(full.email.address, forKey: .email)
            try members.encode(full.email.isVerified, forKey: .verified)
            try members.encode(Timestamp.text(full.user.createdAt, .trimmed), forKey: .createdAt)
            try members.encode(Timestamp.text(full.user.updatedAt, .trimmed), forKey: .updatedAt)
        }
    }

    /// `POST /users`: registers a user. Repeated for an address that nobody confirmed, it gives another user id and the same
    /// `email_id`.
    ///
    /// - Request: `{"email": "ada@example.test"}`; the address is lower-cased.
    /// - Response: `200 {"id": uuid, "user_id": uuid, "email_id": uuid}` and the cookie `hanko_email_id`; a session as well
    ///   where addresses need no confirmation. With `full_user_answers` of the fixtures also `email`, `verified`, `created_at`
    ///   and `updated_at`.
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
            CreatedUser(
                id: registration.user.id, emailID: registration.email.id,
                full: configuration.tellsFullUsers
                    ? .init(email: registration.email, user: registration.user) : nil))
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
