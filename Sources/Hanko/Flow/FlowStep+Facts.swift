import Essentials

/// What actions, hooks and schedules ask of a flow.
extension FlowStep {
    /// The existing user of this flow, with everything; nil while nobody is known.
    func account() throws -> Account? {
        try userID.flatMap { try db.account($0) }
    }

    /// The user of the session in a profile flow, else the one that an identifier or a credential led to.
    var userID: String? { flow.kind == .profile ? session?.userID : flow.stash.userID }

    /// The account of a flow that got so far only with one.
    ///
    /// - Throws: ``FlowRefusal``, `technical_error`, when the user was deleted meanwhile.
    func requireAccount() throws -> Account {
        guard let account = try account() else {
            throw FlowRefusal.technical(
                "The user \(userID ?? "of the flow") was deleted while the flow was under way.")
        }
        return account
    }

    /// Passkeys are enabled, and the device can handle them.
    var canUsePasskeys: Bool { configuration.passkey.isEnabled && flow.stash.hasWebAuthn }

    /// Security keys are enabled, and the device can handle the kind that is configured.
    var canUseSecurityKeys: Bool {
        let (mfa, device) = (configuration.mfa, flow.stash.capabilities)
        guard mfa.offersSecurityKeys, device?.webauthn == true else { return false }
        return mfa.securityKeys.authenticatorAttachment != .platform
            || device?.platformAuthenticator == true
    }

    /// Why passkeys cannot be used; nil when they can.
    var passkeyObstacle: String? {
        if !configuration.passkey.isEnabled { return "passkey.enabled is false" }
        return flow.stash.hasWebAuthn ? nil : "the client reported webauthn_available false"
    }

    /// Why security keys cannot be used; nil when they can.
    var securityKeyObstacle: String? {
        if !configuration.mfa.offersSecurityKeys {
            return "mfa.enabled or mfa.security_keys.enabled is false"
        }
        if !flow.stash.hasWebAuthn { return "the client reported webauthn_available false" }
        return canUseSecurityKeys
            ? nil
            : "mfa.security_keys.authenticator_attachment is platform, and the client reported "
                + "webauthn_platform_authenticator_available false"
    }

    /// Whether the user could sign in with a mailed passcode.
    func canLogInByPasscode() throws -> Bool {
        guard configuration.email.canReceivePasscodes else { return false }
        if flow.stash.email != nil { return true }
        return try account().map { !$0.emails.isEmpty } ?? false
    }

    /// Whether the user has a password, or has just chosen one.
    func hasPassword() throws -> Bool {
        if flow.stash.passwordHash != nil { return true }
        return try account()?.password != nil
    }

    /// Whether the user has a passkey, or has just made one.
    func hasPasskey() throws -> Bool {
        if flow.stash.newCredentials?.contains(where: { !$0.isMFAOnly }) == true { return true }
        return try account().map { !$0.passkeys.isEmpty } ?? false
    }

    /// Whether the user has a second factor, or has just made one.
    func hasSecondFactor() throws -> Bool {
        if flow.stash.isOTPConfirmed == true { return true }
        if flow.stash.newCredentials?.contains(where: \.isMFAOnly) == true { return true }
        return try account()?.hasSecondFactor ?? false
    }

    /// The user has no username, and a flow of `kind` asks for one.
    func missesUsername(_ account: Account, in kind: FlowKind) -> Bool {
        let rules = configuration.username
        let isAcquired = kind == .login ? rules.acquiresOnLogin : rules.acquiresOnRegistration
        return rules.isEnabled && isAcquired && account.user.username == nil
    }

    /// The user has no address, and a flow of `kind` asks for one.
    func missesEmail(_ account: Account, in kind: FlowKind) -> Bool {
        let rules = configuration.email
        let isAcquired = kind == .login ? rules.acquiresOnLogin : rules.acquiresOnRegistration
        return rules.isEnabled && isAcquired && account.emails.isEmpty
    }

    /// What this flow wishes of passkeys and passwords.
    func credentialSchedule(withPassword: Bool = true) throws -> CredentialSchedule {
        let (passkey, password) = (configuration.passkey, configuration.password)
        return CredentialSchedule(
            passkey: canUsePasskeys
                ? .init(
                    acquisition: passkeyAcquisition, isOptional: passkey.isOptional,
                    isPresent: try hasPasskey())
                : nil,
            password: password.isEnabled
                ? .init(
                    acquisition: withPassword ? passwordAcquisition : .never, isOptional: password.isOptional,
                    isPresent: try hasPassword())
                : nil)
    }

    var passkeyAcquisition: Acquisition {
        let rules = configuration.passkey
        return flow.kind == .login ? rules.acquiresOnLogin : rules.acquiresOnRegistration
    }

    var passwordAcquisition: Acquisition {
        let rules = configuration.password
        return flow.kind == .login ? rules.acquiresOnLogin : rules.acquiresOnRegistration
    }
}
