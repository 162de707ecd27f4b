import Essentials
import PlatformKit

extension FlowAction {
    /// `register_login_identifier`: address and username of somebody new.
    ///
    /// A taken address is not told from a free one where it has to be confirmed anyway, unless
    /// `privacy.show_account_existence_hints` is set; a taken username is. Source: Hanko 2.7, Flow API.
    static let registerLoginIdentifier = FlowAction(
        "register_login_identifier", "Enter an identifier to register.",
        inputs: { step in FlowInput.newIdentifiers(step.configuration) },
        suspension: { step in
            if !step.configuration.account.allowsSignup { return "account.allow_signup is false" }
            return FlowInput.newIdentifiers(step.configuration).isEmpty
                ? "neither addresses nor usernames are acquired on registration" : nil
        },
        run: { step, form in
            let (address, username) = (form.text("email"), form.text("username"))
            try step.check(newUser: address, username)
            step.flow.stash.email = address.isEmpty ? nil : address
            step.flow.stash.username = username.isEmpty ? nil : username
            if try step.meetsTakenAddress(address) { return .proceed(.passcodeConfirmation) }
            step.flow.stash.newUserID = step.entropy.uuid(for: "hanko.user")
            return try step.beginRegistration()
        })
}

extension FlowInput {
    /// Source: Hanko 2.7, `acquire_on_registration`.
    fileprivate static func newIdentifiers(_ configuration: Configuration) -> [FlowInput] {
        let (email, username) = (configuration.email, configuration.username)
        var inputs: [FlowInput] = []
        if email.isEnabled, email.acquiresOnRegistration {
            inputs.append(
                FlowInput(
                    "email", .email, maxLength: email.maxLength, isRequired: !email.isOptional,
                    isTrimmed: true,
                    isLowercased: true))
        }
        if username.isEnabled, username.acquiresOnRegistration {
            inputs.append(
                FlowInput(
                    "username", .string, minLength: username.minLength, maxLength: username.maxLength,
                    isRequired: !username.isOptional, isTrimmed: true, isLowercased: true))
        }
        return inputs
    }
}

/// `^\w+$`: ASCII letters, digits and underscores. Source: Hanko 2.7.
enum FlowUsername {
    static func isValid(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == UInt8(ascii: "_")
            }
    }
}

extension FlowStep {
    /// That the username can be the user's.
    func check(username: String, for userID: String?) throws {
        guard FlowUsername.isValid(username) else {
            throw FlowRefusal.input(
                "username", .usernameInvalid,
                "Expected a username of letters, digits and underscores, found “\(username)”.")
        }
        guard let owner = try db.user(named: username), owner.id != userID else { return }
        throw FlowRefusal.input(
            "username", .usernameExists, "The user \(owner.id) is called “\(username)” already.")
    }

    fileprivate func check(newUser address: String, _ username: String) throws {
        if !username.isEmpty { return try check(username: username, for: nil) }
        guard address.isEmpty else { return }
        let inputs = FlowInput.newIdentifiers(configuration).map { ($0.name, FlowInputRefusal.missing) }
        throw FlowRefusal.formDataInvalid(
            Dictionary(inputs) { first, _ in first },
            "Expected an address or a username: each is optional, but a user has one of them.")
    }

    /// Whether the address belongs to somebody, who then gets a mere notice.
    fileprivate mutating func meetsTakenAddress(_ address: String) throws -> Bool {
        guard let owner = try db.email(address: address)?.userID else { return false }
        if !configuration.email.requiresVerification || configuration.privacy.showsAccountExistence {
            throw FlowRefusal.emailExists(address, userID: owner)
        }
        flow.stash.passcodePurpose = .emailRegistrationAttempted
        note(
            "address taken", about: address,
            "The address \(address) belongs to the user \(owner) already; production shows the passcode page and mails a "
                + "notice without a code. No code will ever succeed here.")
        return true
    }

    fileprivate mutating func beginRegistration() throws -> FlowMove {
        let needsConfirmation = flow.stash.email != nil && configuration.email.requiresVerification
        if needsConfirmation { flow.stash.passcodePurpose = .emailVerification }
        let states = RegistrationSchedule(
            needsConfirmation: needsConfirmation, credentials: try credentialSchedule()
        ).states
        note(
            "registration begun",
            "No user has \(subject ?? "the identifier") yet. The user is created at success; before that come: "
                + states.map(\.rawValue).joined(separator: ", ") + ".")
        return .proceed(states, isRevertible: true)
    }
}
