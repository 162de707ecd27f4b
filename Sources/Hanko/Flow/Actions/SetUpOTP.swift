import Crypto
import Essentials
import PlatformKit
import QRCode
import SQLite

extension FlowAction {
    /// `continue_to_otp_secret_creation`: an authenticator app as second factor.
    static let continueToOTPSecretCreation = FlowAction(
        "continue_to_otp_secret_creation", "Create an OTP secret.",
        suspension: { step in
            if !step.configuration.mfa.offersTOTP { return "mfa.enabled or mfa.totp.enabled is false" }
            let isSetUp = try step.account()?.otpSecret != nil || step.flow.stash.isOTPConfirmed == true
            return isSetUp ? "the user has an authenticator app already" : nil
        },
        run: { _, _ in .proceed(.mfaOTPSecretCreation) })

    /// `continue_to_security_key_creation`: a security key as second factor.
    static let continueToSecurityKeyCreation = FlowAction(
        "continue_to_security_key_creation", "Create a security key.",
        suspension: { step in
            if let obstacle = step.securityKeyObstacle { return obstacle }
            let (keys, limit) = (
                try step.account()?.securityKeys.count ?? 0, step.configuration.mfa.securityKeys.limit
            )
            return keys < limit
                ? nil : "the user has \(keys) security keys, all that mfa.security_keys.limit allows"
        },
        run: { _, _ in .proceed(.mfaSecurityKeyCreation) })

    /// `otp_code_verify`: a code of the secret that was shown proves that an app has it.
    static let verifyOTPCode = FlowAction(
        "otp_code_verify", "Verify an OTP code.",
        inputs: { _ in [FlowInput("otp_code", .string, isRequired: true)] },
        run: { step, form in
            let code = form.text("otp_code")
            guard let secret = step.flow.stash.otpSecret else {
                throw FlowRefusal.input(
                    "otp_code", .passcodeInvalid, "No secret was shown in this flow yet.")
            }
            if let reason = TOTP.fault(of: code, secret: secret, at: step.now) {
                throw FlowRefusal.input("otp_code", .passcodeInvalid, reason)
            }
            let used = TOTP.step(of: code, secret: secret, at: step.now)
            step.flow.stash.isOTPConfirmed = true
            step.flow.stash.otpStep = used
            guard let account = try step.account() else {
                step.note(
                    "authenticator app set up",
                    "The new user has an authenticator app, whose secret is stored on reaching success.")
                return .proceed([], isRevertible: false)
            }
            try step.db.save(
                OTPSecret(
                    id: step.entropy.uuid(for: "hanko.otp"), userID: account.id, secret: secret,
                    createdAt: step.now, lastStep: used))
            try step.audit(.otpCreated, userID: account.id, address: account.primaryEmail?.address)
            try step.notify(.mfaCreate, account)
            step.note("authenticator app set up", "The user \(account.id) has an authenticator app now.")
            return .proceed([], isRevertible: false)
        })
}

extension FlowHook {
    /// Before `mfa_otp_secret_creation`: the secret as text and as a picture, the same ones when shown again.
    static let showOTPSecret = FlowHook { step in
        // RFC 4226 §4, R6: 160 bits.
        let secret = step.flow.stash.otpSecret ?? Base32.encode(step.entropy.bytes(20, "hanko.otp.secret"))
        step.flow.stash.otpSecret = secret
        let account = try step.account()
        let name = account?.primaryEmail?.address ?? step.subject ?? "user"
        let url = TOTP.url(secret: secret, account: name, issuer: step.configuration.service.name)
        let picture = try QRCode(text: url).png(side: 200)
        step.payload["otp_secret"] = .string(secret)
        step.payload["otp_image_source"] = .string(
            "data:image/png;base64," + Data(picture).base64EncodedString())
    }
}
