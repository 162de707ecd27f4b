import Essentials

extension FlowAction {
    /// `continue_with_login_identifier`: who wants to sign in.
    ///
    /// An unknown address is not told from a known one, unless `privacy.show_account_existence_hints` is set; an unknown
    /// username is. Source: Hanko 2.7, Flow API.
    static let continueWithLoginIdentifier = FlowAction(
        "continue_with_login_identifier", "Enter an identifier to login.",
        inputs: { step in LoginIdentifier(step.configuration).map { [$0.input] } ?? [] },
        suspension: { step in
            let configuration = step.configuration
            if LoginIdentifier(configuration) == nil {
                return "neither email.use_as_login_identifier nor username.use_as_login_identifier"
            }
            return configuration.password.isEnabled || configuration.email.canReceivePasscodes
                ? nil : "neither passwords nor passcodes are enabled"
        },
        run: { step, form in
            guard let identifier = LoginIdentifier(step.configuration) else { return .stay }
            let text = form.text(identifier.input.name)
            step.flow.stash.loginIdentifier = text
            if identifier.isAddress(text) {
                try step.identify(byAddress: text, identifier.input.name)
            } else {
                try step.identify(byUsername: text, identifier.input.name)
            }
            return try step.chooseMethod()
        })
}

/// What users may sign in by, and the input that asks for it.
private struct LoginIdentifier {
    let input: FlowInput

    /// Nil when nothing may be used.
    init?(_ configuration: Configuration) {
        let (email, username) = (configuration.email, configuration.username)
        switch (email.isEnabled && email.isLoginIdentifier, username.isEnabled && username.isLoginIdentifier)
        {
        case (true, false):
            input = FlowInput(
                "email", .email, minLength: 3, maxLength: email.maxLength, isRequired: true, isTrimmed: true,
                isLowercased: true)
        case (false, true):
            input = FlowInput(
                "username", .string, minLength: username.minLength, maxLength: username.maxLength,
                isRequired: true,
                isTrimmed: true, isLowercased: true)
        case (true, true):
            input = FlowInput(
                "identifier", .string, maxLength: 255, isRequired: true, isTrimmed: true, isLowercased: true)
        case (false, false): return nil
        }
    }

    func isAddress(_ text: String) -> Bool {
        switch input.name {
        case "email": true
        case "username": false
        default: FlowAddress.isValid(text)
        }
    }
}

extension FlowStep {
    fileprivate mutating func identify(byAddress address: String, _ input: String) throws {
        let owner = try db.email(address: address)?.userID
        (flow.stash.email, flow.stash.userID) = (address, owner)
        guard owner == nil else { return }
        if configuration.privacy.showsAccountExistence {
            throw FlowRefusal.input(
                input, .emailUnknown,
                "No user has the address \(address); privacy.show_account_existence_hints lets the flow say so."
            )
        }
        note(
            "address unknown", about: address,
            "No user has the address \(address). Production does not say so, and the flow continues as if there were one."
        )
    }

    fileprivate mutating func identify(byUsername username: String, _ input: String) throws {
        guard let user = try db.user(named: username) else {
            throw FlowRefusal.input(input, .usernameUnknown, "No user is called “\(username)”.")
        }
        (flow.stash.username, flow.stash.userID) = (username, user.id)
        flow.stash.email = try db.primaryEmail(of: user.id)?.address
    }

    /// To the way of signing in, or to the choice when there are several.
    fileprivate mutating func chooseMethod() throws -> FlowMove {
        let showsActualOnly = configuration.privacy.showsOnlyActualMethods
        let states = showsActualOnly ? try actualMethods() : enabledMethods
        guard let first = states.first else {
            throw FlowRefusal.flowDiscontinuity(
                "There is no way for \(subject ?? "the user") to sign in: "
                    + (showsActualOnly
                        ? "the user has nothing that this configuration accepts (privacy.only_show_actual_login_methods)."
                        : "the user has no address for a passcode, and passwords are disabled."))
        }
        guard states.count == 1 else { return .proceed(.loginMethodChooser) }
        if first == .passcodeConfirmation { setLoginPurpose(.login) }
        return .proceed(first)
    }

    private var enabledMethods: [FlowState] {
        var states: [FlowState] = []
        if configuration.email.canReceivePasscodes, flow.stash.email != nil {
            states.append(.passcodeConfirmation)
        }
        if configuration.password.isEnabled { states.append(.loginPassword) }
        return states
    }

    /// What the user has, whatever the device can handle; nothing where there is no user.
    private func actualMethods() throws -> [FlowState] {
        guard let account = try account() else { return [] }
        var states: [FlowState] = []
        if configuration.email.canReceivePasscodes, account.primaryEmail != nil {
            states.append(.passcodeConfirmation)
        }
        if configuration.password.isEnabled, account.password != nil { states.append(.loginPassword) }
        if configuration.passkey.isEnabled, !account.passkeys.isEmpty { states.append(.loginPasskey) }
        return states
    }

    /// What the passcode mail shall say: what `purpose` says for a user, a notice for an address that nobody has.
    mutating func setLoginPurpose(_ purpose: FlowPasscode.Purpose) {
        flow.stash.passcodePurpose = flow.stash.userID == nil ? .emailLoginAttempted : purpose
    }
}

extension FlowAction {
    /// `remember_me`: whether the browser keeps the session cookie. Only where the configuration leaves it to the user.
    static let rememberMe = FlowAction(
        "remember_me", "Enable or disable remember me.",
        inputs: { _ in [FlowInput("remember_me", .boolean, isRequired: true)] },
        suspension: { step in
            step.configuration.session.cookie.retention == .prompt
                ? nil : "session.cookie.retention is not prompt"
        },
        run: { step, form in
            step.flow.stash.remembersMe = form.flag("remember_me")
            return .stay
        })
}

extension FlowAction {
    /// `register_client_capabilities`: what the device can do decides which passkey steps are offered later on.
    static let registerClientCapabilities = FlowAction(
        "register_client_capabilities", "Send the capabilities of the client.",
        inputs: { _ in
            [
                FlowInput("webauthn_available", .boolean, isRequired: true, isHidden: true),
                FlowInput("webauthn_conditional_mediation_available", .boolean, isHidden: true),
                FlowInput("webauthn_platform_authenticator_available", .boolean, isHidden: true),
            ]
        },
        run: { step, form in
            step.flow.stash.capabilities = FlowStash.Capabilities(
                webauthn: form.flag("webauthn_available"),
                conditionalMediation: form.flag("webauthn_conditional_mediation_available"),
                platformAuthenticator: form.flag("webauthn_platform_authenticator_available"))
            return .proceed()
        })
}
