/// What may not be taken from a user, because too little would be left to sign in with.
///
/// Each rule says why something has to stay, as half a sentence without a full stop; nil when it may go. Source: Hanko 2.7, the
/// actions of its profile flow.
extension Account {
    func reasonToKeep(_ email: Email, under configuration: Configuration) -> String? {
        if email.isPrimary {
            if emails.count > 1 { return "it is the primary address, and there are others" }
            if !configuration.email.isOptional {
                return "it is the last address, and email.optional is false"
            }
            let isDispensable =
                canUsePasskey(under: configuration)
                || (canUsePassword(under: configuration) && canBeNamedByUsername(under: configuration))
            return isDispensable ? nil : Self.nothingElse
        }
        if canUsePasskey(under: configuration) || canUsePassword(under: configuration)
            || configuration.email.canReceivePasscodes
        {
            return nil
        }
        let others = identities.filter { $0.emailID != nil && $0.emailID != email.id }
        return Self.canUse(others, under: configuration) ? nil : Self.nothingElse
    }

    func reasonToKeepPassword(under configuration: Configuration) -> String? {
        if !configuration.password.isOptional { return "password.optional is false" }
        let isDispensable =
            canUsePasskey(under: configuration) || canUsePasscode(under: configuration)
            || Self.canUse(identities, under: configuration)
        return isDispensable ? nil : Self.nothingElse
    }

    func reasonToKeepUsername(under configuration: Configuration) -> String? {
        if !configuration.username.isOptional { return "username.optional is false" }
        return !emails.isEmpty || canUsePasskey(under: configuration)
            ? nil : "the user has neither an address nor a passkey to sign in with instead"
    }

    /// Of any one passkey: which does not matter.
    func reasonToKeepPasskey(under configuration: Configuration) -> String? {
        guard passkeys.count == 1 else { return nil }
        if !configuration.passkey.isOptional {
            return "it is the last passkey, and passkey.optional is false"
        }
        let isDispensable =
            (canUsePassword(under: configuration) && canBeNamed(under: configuration))
            || canUsePasscode(under: configuration) || Self.canUse(identities, under: configuration)
        return isDispensable ? nil : Self.nothingElse
    }

    /// Of any one security key.
    func reasonToKeepSecurityKey(under configuration: Configuration) -> String? {
        guard securityKeys.count == 1, otpSecret == nil else { return nil }
        return Self.reasonToKeepSecondFactor(under: configuration)
    }

    func reasonToKeepOTP(under configuration: Configuration) -> String? {
        securityKeys.isEmpty ? Self.reasonToKeepSecondFactor(under: configuration) : nil
    }

    private static let nothingElse = "nothing else would be left to sign in with"

    private static func reasonToKeepSecondFactor(under configuration: Configuration) -> String? {
        configuration.mfa.isEnabled && !configuration.mfa.isOptional
            ? "it is the last second factor, and mfa.optional is false" : nil
    }
}

/// What a user could sign in with.
extension Account {
    func canUsePasskey(under configuration: Configuration) -> Bool {
        configuration.passkey.isEnabled && !passkeys.isEmpty
    }

    /// The user has a password that counts; whether there is a name to say beside it is another question.
    func canUsePassword(under configuration: Configuration) -> Bool {
        configuration.password.isEnabled && password != nil
    }

    func canUsePasscode(under configuration: Configuration) -> Bool {
        configuration.email.canReceivePasscodes && !emails.isEmpty && canBeNamed(under: configuration)
    }

    /// The user has an address or a username to begin a login with.
    func canBeNamed(under configuration: Configuration) -> Bool {
        canBeNamedByUsername(under: configuration)
            || (configuration.email.isLoginIdentifier && !emails.isEmpty)
    }

    private func canBeNamedByUsername(under configuration: Configuration) -> Bool {
        configuration.username.isLoginIdentifier && user.username != nil
    }

    /// One of the accounts is at a provider that is enabled.
    private static func canUse(_ identities: [Identity], under configuration: Configuration) -> Bool {
        identities.contains { configuration.thirdParty.provider($0.provider) != nil }
    }
}
