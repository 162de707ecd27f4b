import Essentials

extension FlowAction {
    /// `continue_with_login_identifier`: who wants to sign in.
    ///
    /// An unknown address is not told from a known one, unless `privacy.show_account_existence_hints` is set; an unknown
    /// username is. Source: Hanko 2.7, Flow API.
    static let continueWithLoginIdentifier = FlowAction(
        "continue_with_login_identifier", "Enter an identifier to login.",
        inputs: { turn in LoginIdentifier(turn.configuration).map { [$0.input] } ?? [] },
        suspension: { turn in
            let configuration = turn.configuration
            if LoginIdentifier(configuration) == nil {
                return "neither email.use_as_login_identifier nor username.use_as_login_identifier"
            }
            return configuration.password.isEnabled || configuration.email.canReceivePasscodes
                ? nil : "neither passwords nor passcodes are enabled"
        },
        run: { turn, form in
            guard let identifier = LoginIdentifier(turn.configuration) else { return .stay }
            let text = form.text(identifier.input.name)
            turn.flow.stash.loginIdentifier = text
            if identifier.isAddress(text) {
                if let refusal = try turn.identify(byAddress: text, identifier.input.name) {
                    return .refuse(refusal)
                }
            } else if let refusal = try turn.identify(byUsername: text, identifier.input.name) {
                return .refuse(refusal)
            }
            return try turn.chooseMethod()
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

extension FlowTurn {
    fileprivate mutating func identify(byAddress address: String, _ input: String) throws -> FlowRefusal? {
        let owner = try EmailStore.email(address: address, in: db)?.userID
        (flow.stash.email, flow.stash.userID) = (address, owner)
        guard owner == nil else { return nil }
        if configuration.privacy.showsAccountExistence {
            return .input(
                input, .emailUnknown,
                "No user has the address \(address); privacy.show_account_existence_hints lets the flow say so."
            )
        }
        note(
            "address unknown", about: address,
            "No user has the address \(address). Production does not tell, so the flow goes on as if there were one."
        )
        return nil
    }

    fileprivate mutating func identify(byUsername username: String, _ input: String) throws -> FlowRefusal? {
        guard let user = try UserStore.user(named: username, in: db) else {
            return .input(input, .usernameUnknown, "No user is called \"\(username)\".")
        }
        (flow.stash.username, flow.stash.userID) = (username, user.id)
        flow.stash.email = try EmailStore.primary(of: user.id, in: db)?.address
        return nil
    }

    /// To the way of signing in, or to the choice when there are several.
    fileprivate mutating func chooseMethod() throws -> FlowOutcome {
        let showsActualOnly = configuration.privacy.showsOnlyActualMethods
        let states = showsActualOnly ? try actualMethods() : enabledMethods
        guard let first = states.first else {
            return .refuse(
                FlowRefusal(
                    .flowDiscontinuity,
                    "There is no way for \(subject ?? "the user") to sign in: "
                        + (showsActualOnly
                            ? "the user has nothing that this configuration accepts (privacy.only_show_actual_login_methods)."
                            : "the user has no address for a passcode, and passwords are disabled.")))
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
