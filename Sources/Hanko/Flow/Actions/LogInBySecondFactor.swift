import Essentials
import SQLite

extension FlowAction {
    /// `otp_code_validate`: the second factor by an authenticator app.
    static let validateOTPCode = FlowAction(
        "otp_code_validate", "Validate an OTP code.",
        inputs: { _ in [FlowInput("otp_code", .string, isRequired: true)] },
        run: { step, form in
            let account = try step.requireAccount()
            let client = step.caller.address
            try step.count(
                step.configuration.rateLimiter.otpRule.map {
                    CallLimit(
                        rule: $0, key: "otp/\(client)/\(account.id)",
                        calls: "OTP codes of the user \(account.id) from \(client) were tried")
                })
            let code = form.text("otp_code")
            let isNext = step.configuration.own.generation == .next
            guard var secret = account.otpSecret,
                let used = TOTP.step(of: code, secret: secret.secret, at: step.now)
            else {
                let reason = TOTP.fault(of: code, secret: account.otpSecret?.secret ?? "", at: step.now)
                throw try step.otpRefused(
                    account, isNext ? .otpInvalid : .passcodeInvalid, reason ?? "The code is wrong.")
            }
            if let last = secret.lastStep, used <= last {
                guard !isNext else { throw try step.otpRefused(account, .otpUsed, Self.usedTwice) }
                step.note("refused by the next version", "\(Self.usedTwice) The profile next refuses it.")
            }
            secret.lastStep = max(used, secret.lastStep ?? used)
            try step.db.save(secret)
            step.flow.stash.mfaMethod = .totp
            step.note(
                "second factor accepted",
                "The code of the authenticator app of the user \(account.id) was right.")
            return .proceed([], isRevertible: false)
        })

    private static let usedTwice =
        "The code of this time step, or of a later one, was taken before; each is good once (RFC 6238 §5.2): wait for the next code."

    /// `continue_to_login_otp`: an authenticator app instead of a security key.
    static let continueToLoginOTP = FlowAction(
        "continue_to_login_otp", "Continue to the OTP login.",
        suspension: { step in
            if !step.configuration.mfa.offersTOTP { return "mfa.totp.enabled is false" }
            return try step.account()?.otpSecret == nil ? "the user has no authenticator app" : nil
        },
        run: { _, _ in .proceed(.loginOTP) })

    /// `continue_to_login_security_key`: a security key instead of an authenticator app.
    static let continueToLoginSecurityKey = FlowAction(
        "continue_to_login_security_key", "Continue to the security key login.",
        suspension: { step in
            if let obstacle = step.securityKeyObstacle { return obstacle }
            return try step.account()?.securityKeys.isEmpty ?? true ? "the user has no security key" : nil
        },
        run: { _, _ in .proceed(.loginSecurityKey) })

    /// `trust_device`: no second factor on this device for a while.
    static let trustDevice = FlowAction(
        "trust_device", "Trust this device.",
        run: { step, _ in
            step.flow.stash.trustsDevice = true
            return .proceed()
        })
}

extension FlowStep {
    /// The refusal of a code, which the audit log hears of.
    fileprivate func otpRefused(
        _ account: Account, _ fault: FlowInputRefusal, _ reason: String
    ) throws -> FlowRefusal {
        try audit(
            .loginFailure, userID: account.id, address: account.primaryEmail?.address,
            error: "wrong OTP code", details: ["mfa_method": "totp"])
        return .input("otp_code", fault, reason)
    }
}
