extension FlowAction {
    /// `webauthn_credential_create`: options for one more passkey.
    static let createPasskey = FlowAction.onAccount(
        "webauthn_credential_create", "Create a passkey.",
        suspension: { step, account in
            if let obstacle = step.passkeyObstacle ?? account.namelessness { return obstacle }
            let limit = step.configuration.passkey.limit
            return account.passkeys.count < limit
                ? nil : "passkey.limit is \(limit), and the user has as many passkeys"
        },
        run: { step, _, _ in
            step.flow.stash.wantsSecurityKey = nil
            return .proceed(.webauthnCredentialVerification)
        })

    /// `security_key_create`: options for one more security key.
    static let createSecurityKey = FlowAction.onAccount(
        "security_key_create", "Create a security key.",
        suspension: { step, account in
            if let obstacle = step.securityKeyObstacle ?? account.namelessness { return obstacle }
            let limit = step.configuration.mfa.securityKeys.limit
            return account.securityKeys.count < limit
                ? nil : "mfa.security_keys.limit is \(limit), and the user has as many keys"
        },
        run: { step, _, _ in
            step.flow.stash.wantsSecurityKey = true
            return .proceed(.webauthnCredentialVerification)
        })
}

extension Account {
    /// Why no credential can be named after the user. The original breaks where nothing can be.
    fileprivate var namelessness: String? {
        primaryEmail == nil && user.username == nil
            ? "the user has neither a primary address nor a username, which the credential is named after"
            : nil
    }
}
