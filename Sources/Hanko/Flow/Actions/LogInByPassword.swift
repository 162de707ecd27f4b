import Essentials
import PlatformKit

extension FlowAction {
    /// `password_login`: the password of whoever was named. An unknown user is not told from a wrong password.
    static let logInByPassword = FlowAction(
        "password_login", "Login with a password.",
        inputs: { _ in [FlowInput("password", .password, isRequired: true)] },
        run: { step, form in
            let identifier = step.flow.stash.loginIdentifier ?? ""
            let client = step.caller.address
            try step.count(
                step.configuration.rateLimiter.passwordRule.map {
                    CallLimit(
                        rule: $0, key: "password/\(client)/\(identifier)",
                        calls: "passwords for \(identifier) from \(client) were tried")
                })
            guard let reason = try step.fault(ofPassword: form.text("password")) else {
                return try step.signIn(by: .password)
            }
            try step.audit(
                .loginFailure, userID: step.userID, address: step.flow.stash.email,
                error: "wrong password",
                details: ["login_method": "password"])
            throw FlowRefusal.input("password", .invalid, reason)
        })

    /// `password_recovery`: another password for a user who confirmed the address with a code.
    static let recoverPassword = FlowAction(
        "password_recovery", "Submit a new password.",
        inputs: { step in
            [.newPassword(step.configuration.password, maxLength: PasswordHash.maxBytes, isRequired: true)]
        },
        run: { step, form in
            let password = form.text("new_password")
            try step.check(newPassword: password, "new_password")
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
            try step.check(newPassword: password, "new_password")
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
        _ rules: PasswordConfiguration, maxLength: Int? = nil, isRequired: Bool
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
                "There is no user \(flow.stash.loginIdentifier ?? "of that name"), which production does not distinguish from a wrong password."
        }
        guard let stored = account.password else {
            return
                "The user \(account.id) has no password; sign in another way, or set one through the recovery."
        }
        return try stored.matches(password) ? nil : "The password of the user \(account.id) is another one."
    }

    /// Characters count for the minimum, bytes for the maximum: what has bytes enough for the rule of the input and too few
    /// characters is invalid rather than too short. Source: Hanko 2.7; bcrypt takes 72 bytes.
    fileprivate func check(newPassword password: String, _ input: String) throws {
        let rules = configuration.password
        if password.unicodeScalars.count < rules.minLength {
            throw FlowRefusal.input(
                input, .invalid,
                "Expected at least \(rules.minLength) characters (password.min_length), found \(password.unicodeScalars.count)."
            )
        }
        guard password.utf8.count > PasswordHash.maxBytes else { return }
        throw FlowRefusal.input(
            input, .tooLong, "Expected at most \(PasswordHash.maxBytes) bytes, found \(password.utf8.count).")
    }

    func hash(_ password: String) throws -> PasswordHash {
        try PasswordHash(password, salt: entropy.bytes(16, "hanko.password.salt"))
    }

    /// Sets or changes the password of an existing user, and tells everybody who wants to know.
    func setPassword(_ password: String, of account: Account) throws {
        try db.setPassword(
            try hash(password), of: account.id, id: entropy.uuid(for: "hanko.password"), at: now)
        try audit(.passwordChanged, userID: account.id, address: account.primaryEmail?.address)
        try announce(.userUpdatePassword, userID: account.id)
        try notify(.passwordUpdate, account)
        note(
            "password set",
            "The user \(account.id) has \(account.password == nil ? "a" : "another") password now.")
    }
}
