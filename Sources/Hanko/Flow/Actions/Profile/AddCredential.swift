extension FlowAction {
    /// `webauthn_credential_create`: options for one more passkey.
    static let createPasskey = FlowAction.onAccount(
        "webauthn_credential_create", "Create a passkey.",
        suspension: { turn, account in
            if let obstacle = turn.passkeyObstacle ?? account.namelessness { return obstacle }
            let limit = turn.configuration.passkey.limit
            return account.passkeys.count < limit
                ? nil : "passkey.limit is \(limit), and the user has as many passkeys"
        },
        run: { turn, _, _ in
            turn.flow.stash.wantsSecurityKey = nil
            return .proceed(.webauthnCredentialVerification)
        })

    /// `security_key_create`: options for one more security key.
    static let createSecurityKey = FlowAction.onAccount(
        "security_key_create", "Create a security key.",
        suspension: { turn, account in
            if let obstacle = turn.securityKeyObstacle ?? account.namelessness { return obstacle }
            let limit = turn.configuration.mfa.securityKeyLimit
            return account.securityKeys.count < limit
                ? nil : "mfa.security_keys.limit is \(limit), and the user has as many keys"
        },
        run: { turn, _, _ in
            turn.flow.stash.wantsSecurityKey = true
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
