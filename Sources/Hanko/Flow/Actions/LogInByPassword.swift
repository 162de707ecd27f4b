import Essentials
import PlatformKit

extension FlowAction {
    /// `password_login`: the password of whoever was named. An unknown user is not told from a wrong password.
    static let logInByPassword = FlowAction(
        "password_login", "Login with a password.",
        inputs: { _ in [FlowInput("password", .password, isRequired: true)] },
        run: { step, form in
            let identifier = step.flow.stash.loginIdentifier ?? ""
            let rule = step.configuration.rateLimiter.passwordRule
            if let seconds = try step.wait(for: "password/\(step.caller.address)/\(identifier)", under: rule)
            {
                let calls = "passwords for \(identifier) from \(step.caller.address) were tried"
                return .refuse(step.limited("retry_after", seconds, calls, rule))
            }
            guard let reason = try step.fault(ofPassword: form.text("password")) else {
                return try step.signIn(by: .password)
            }
            step.add(
                .audit(
                    .loginFailure, userID: step.userID, address: step.flow.stash.email,
                    error: "wrong password",
                    details: ["login_method": "password"]))
            return .refuse(.input("password", .invalid, reason))
        })

    /// `password_recovery`: another password for a user who confirmed the address with a code.
    static let recoverPassword = FlowAction(
        "password_recovery", "Submit a new password.",
        inputs: { step in
            [.newPassword(step.configuration.password, maxLength: PasswordHash.maxBytes, isRequired: true)]
        },
        run: { step, form in
            let password = form.text("new_password")
            if let refusal = step.refusal(ofNewPassword: password, "new_password") { return .refuse(refusal) }
            try step.setPassword(password, of: step.requireAccount())
            step.flow.stash.isRecoveryPending = nil
            return try step.goOn(isRevertible: false)
        })

    /// `register_password`: the first password. It is kept until there is a user to give it to, and cannot be taken back.
    static let registerPassword = FlowAction(
        "register_password", "Submit a new password.",
        inputs: { step in
            let rules = step.configuration.password
            return [.newPassword(rules, isRequired: !rules.isOptional)]
        },
        run: { step, form in
            let password = form.text("new_password")
            if let refusal = step.refusal(ofNewPassword: password, "new_password") { return .refuse(refusal) }
            if let account = try step.account() {
                try step.setPassword(password, of: account)
                return try step.goOn(isRevertible: false)
            }
            step.flow.stash.passwordHash = try step.hash(password).text
            step.flow.stash.isPasswordSkipped = nil
            step.note("password chosen", "The new user has a password, which is stored on reaching success.")
            return try step.goOn(isRevertible: false)
        })
}

extension FlowInput {
    fileprivate static func newPassword(
        _ rules: Configuration.Password, maxLength: Int? = nil, isRequired: Bool
    ) -> FlowInput {
        FlowInput(
            "new_password", .password, minLength: rules.minLength, maxLength: maxLength,
            isRequired: isRequired)
    }
}

extension FlowStep {
    /// What is wrong with the password, in a sentence; nil when it is right.
    fileprivate func fault(ofPassword password: String) throws -> String? {
        guard let account = try account() else {
            return
                "Nobody is known as \(flow.stash.loginIdentifier ?? "that"), which production does not tell from a wrong password."
        }
        guard let stored = account.password else {
            return
                "The user \(account.id) has no password; sign in another way, or set one through the recovery."
        }
        return try stored.matches(password) ? nil : "The password of the user \(account.id) is another one."
    }

    /// Characters count for the minimum, bytes for the maximum: what has bytes enough for the rule of the input and too few
    /// characters is invalid rather than too short. Source: Hanko 2.7; bcrypt takes 72 bytes.
    func refusal(ofNewPassword password: String, _ input: String) -> FlowRefusal? {
        let rules = configuration.password
        if password.unicodeScalars.count < rules.minLength {
            return .input(
                input, .invalid,
                "Expected at least \(rules.minLength) characters (password.min_length), found \(password.unicodeScalars.count)."
            )
        }
        guard password.utf8.count > PasswordHash.maxBytes else { return nil }
        return .input(
            input, .tooLong, "Expected at most \(PasswordHash.maxBytes) bytes, found \(password.utf8.count).")
    }

    func hash(_ password: String) throws -> PasswordHash {
        try PasswordHash(password, salt: entropy.bytes(16, "hanko.password.salt"))
    }

    /// Sets or changes the password of an existing user, and tells everybody who wants to know.
    mutating func setPassword(_ password: String, of account: Account) throws {
        try db.setPassword(
            try hash(password), of: account.id, id: entropy.uuid(for: "hanko.password"), at: now)
        add(.audit(.passwordChanged, userID: account.id, address: account.primaryEmail?.address))
        add(.webhook(.userUpdatePassword, userID: account.id))
        notify(.passwordUpdate, account)
        note(
            "password set",
            "The user \(account.id) has \(account.password == nil ? "a" : "another") password now.")
    }
}
