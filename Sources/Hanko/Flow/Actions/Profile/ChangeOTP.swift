import SQLite

extension FlowAction {
    /// `continue_to_otp_secret_creation` of a profile: an authenticator app, and back again.
    static let createOTPSecret = FlowAction.onAccount(
        "continue_to_otp_secret_creation", "Set up an authenticator app.",
        suspension: { step, account in
            if !step.configuration.mfa.offersTOTP { return "mfa.enabled or mfa.totp.enabled is false" }
            return account.otpSecret == nil ? nil : "the user has an authenticator app already"
        },
        run: { _, _, _ in .proceed(.mfaOTPSecretCreation, .profileInit) })

    /// `otp_secret_delete`: no authenticator app any more.
    static let deleteOTPSecret = FlowAction.onAccount(
        "otp_secret_delete", "Delete the authenticator app.",
        suspension: { step, account in
            if account.otpSecret == nil { return "the user has no authenticator app" }
            return account.reasonToKeepOTP(under: step.configuration)
        },
        run: { step, _, account in
            try step.db.delete(OTPSecret.self, where: "user_id = \(account.id)")
            try step.notify(.mfaDelete, account)
            step.note(
                "authenticator app deleted", "The user \(account.id) has no authenticator app any more.")
            return .proceed(.profileInit)
        })
}
