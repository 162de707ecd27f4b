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
    /// - Request: `{"email": "ada@example.com"}`; the address is lower-cased.
    /// - Response: `200 {"id": uuid, "user_id": uuid, "email_id": uuid}` and the cookie `hanko_email_id`; a session as well
    ///   where addresses need no confirmation. With `full_user_answers` of the fixtures also `email`, `verified`, `created_at`
    ///   and `updated_at`.
    /// - Errors: 403 while sign-up is off, checked first; 400; 409 when the address is a user's.
    /// - Source: Hanko 2.7, classic API.
    func createUser(_ request: Request) throws -> Response {
        let configuration = try configuration()
        guard configuration.account.allowsSignup else { throw HankoRefusal.signupOff }
        let address = try addressInput(request)
        let registration = try register(
            address,
            opening: configuration.email.requiresVerification ? nil : newSession(request, configuration),
            telling: announcer(request))
        var response = try Response.hanko(
            CreatedUser(
                id: registration.user.id, emailID: registration.email.id,
                full: configuration.own.tellsFullUsers
                    ? .init(email: registration.email, user: registration.user) : nil))
        response.headers.add(
            "Set-Cookie", configuration.session.cookie.carryingAddress(registration.email.id))
        if let session = registration.session { try hand(session, to: &response, configuration) }
        return response
    }

    private struct Registration {
        let user: User
        let email: Email
        /// Only where addresses need no confirmation.
        let session: OpenedSession?
    }

    /// Makes a user for `address`, which stays nobody's until it is confirmed.
    ///
    /// - Parameter opening: makes the session that a user gets whose address need not be confirmed; nil when it must be.
    private func register(
        _ address: String, opening: NewSession?, telling announcer: Announcer
    ) throws -> Registration {
        let ids = (
            user: services.entropy.uuid(for: "hanko.user"), email: services.entropy.uuid(for: "hanko.email")
        )
        return try world.change { turn in
            let known = try turn.db.email(address: address)
            if let known, let owner = known.userID { throw HankoRefusal.addressTaken(address, userID: owner) }
            let email = Email(
                id: known?.id ?? ids.email, userID: opening == nil ? nil : ids.user, address: address,
                isVerified: known?.isVerified ?? false, isPrimary: opening != nil,
                createdAt: known?.createdAt ?? turn.now, updatedAt: turn.now)
            let user = User(
                id: ids.user, pendingEmailID: opening == nil ? email.id : nil, createdAt: turn.now)
            // The two rows name each other; the address comes first without its user.
            if known == nil { try turn.insert(email.unassigned) }
            try turn.insert(user)
            if opening != nil { try turn.update(email) }
            let session = try opening.map { try turn.open($0, for: user.id) }
            let registration = Registration(user: user, email: email, session: session)
            Self.note(registration, isNewAddress: known == nil, in: turn)
            try announcer.audit(.userCreated, userID: user.id, address: address, in: turn)
            // Where addresses need confirmation the webhooks hear of a user with the first that is confirmed.
            if session != nil { try announcer.announce(.userCreate, userID: user.id, in: turn) }
            return registration
        }
    }

    private static func note(_ registration: Registration, isNewAddress: Bool, in turn: Turn) {
        let address = registration.email.address
        let fate =
            registration.session == nil
            ? "The address belongs to no user until a passcode sent to it comes back."
            : "Addresses need no confirmation here."
        turn.note(
            "user created", about: address,
            "The user \(registration.user.id) was created for \(address). "
                + (isNewAddress ? "" : "The address was registered before and never confirmed. ")
                + fate)
    }
}
