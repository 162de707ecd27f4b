import Essentials
import PlatformKit
import SQLite

extension FlowAction {
    /// `password_create`: a password for a user without one.
    static let createPassword = FlowAction.onAccount(
        "password_create", "Set a password.",
        inputs: { step, _ in [.profilePassword(step.configuration.password)] },
        suspension: { step, account in
            if !step.configuration.password.isEnabled { return "password.enabled is false" }
            return account.password == nil
                ? nil : "the user has a password already; password_update changes it"
        },
        run: { step, form, account in
            try step.store(form.text("password"), of: account)
            step.note("password set", "The user \(account.id) has a password now.")
            return .proceed(.profileInit)
        })

    /// `password_update`: another password. The former one is not asked for: the session is proof enough, as upstream.
    static let updatePassword = FlowAction.onAccount(
        "password_update", "Change the password.",
        inputs: { step, _ in [.profilePassword(step.configuration.password)] },
        suspension: { step, account in
            if !step.configuration.password.isEnabled { return "password.enabled is false" }
            return account.password == nil ? "the user has no password; password_create sets one" : nil
        },
        run: { step, form, account in
            try step.store(form.text("password"), of: account)
            try step.announce(.userUpdatePassword, userID: account.id)
            try step.notify(.passwordUpdate, account)
            step.note("password changed", "The user \(account.id) has another password now.")
            return .proceed(.profileInit)
        })

    /// `password_delete`: no password any more.
    static let deletePassword = FlowAction.onAccount(
        "password_delete", "Delete the password.",
        suspension: { step, account in
            if !step.configuration.password.isEnabled { return "password.enabled is false" }
            if account.password == nil { return "the user has no password" }
            return account.reasonToKeepPassword(under: step.configuration)
        },
        run: { step, _, account in
            try step.db.delete(Password.self, where: "user_id = \(account.id)")
            try step.audit(.passwordDeleted, account)
            step.note("password deleted", "The user \(account.id) has no password any more.")
            return .proceed(.profileInit)
        })
}

extension FlowInput {
    /// Source: Hanko 2.7: a plain string here, and bytes count at both ends.
    fileprivate static func profilePassword(_ rules: PasswordConfiguration) -> FlowInput {
        FlowInput(
            "password", .string, minLength: rules.minLength, maxLength: PasswordHash.maxBytes,
            isRequired: true)
    }
}

extension FlowStep {
    fileprivate func store(_ password: String, of account: Account) throws {
        try db.setPassword(
            try hash(password), of: account.id, id: entropy.uuid(for: "hanko.password"), at: now)
        try audit(.passwordChanged, account, ["context": "profile"])
    }
}
