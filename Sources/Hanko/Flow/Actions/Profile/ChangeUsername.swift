import SQLite

extension FlowAction {
    /// `username_create`: a username for a user without one.
    static let createUsername = FlowAction.onAccount(
        "username_create", "Set a username.",
        inputs: { step, _ in [.profileUsername(step.configuration.username)] },
        suspension: { step, account in
            if !step.configuration.username.isEnabled { return "username.enabled is false" }
            return account.user.username == nil
                ? nil : "the user has a username already; username_update changes it"
        },
        run: { step, form, account in
            try step.rename(account, form.text("username"), telling: .userUpdateUsernameCreate)
        })

    /// `username_update`: another username.
    static let updateUsername = FlowAction.onAccount(
        "username_update", "Change the username.",
        inputs: { step, _ in [.profileUsername(step.configuration.username)] },
        suspension: { step, account in
            if !step.configuration.username.isEnabled { return "username.enabled is false" }
            return account.user.username == nil ? "the user has no username; username_create sets one" : nil
        },
        run: { step, form, account in
            try step.rename(account, form.text("username"), telling: .userUpdateUsernameUpdate)
        })

    /// `username_delete`: no username any more.
    static let deleteUsername = FlowAction.onAccount(
        "username_delete", "Delete the username.",
        suspension: { step, account in
            if !step.configuration.username.isEnabled { return "username.enabled is false" }
            if account.user.username == nil { return "the user has no username" }
            return account.reasonToKeepUsername(under: step.configuration)
        },
        run: { step, _, account in
            var user = account.user
            user.rename(nil, at: step.now)
            try step.db.update(user)
            let username = account.user.username ?? ""
            try step.audit(.usernameDeleted, account, ["username": username])
            try step.announce(.userUpdateUsernameDelete, userID: account.id)
            step.note("username deleted", "The user \(account.id) is not called \(username) any more.")
            return .proceed(.profileInit)
        })
}

extension FlowInput {
    fileprivate static func profileUsername(_ rules: UsernameConfiguration) -> FlowInput {
        FlowInput(
            "username", .string, minLength: rules.minLength, maxLength: rules.maxLength, isRequired: true,
            isPreserved: true, isTrimmed: true, isLowercased: true)
    }
}

extension FlowStep {
    fileprivate func rename(
        _ account: Account, _ username: String, telling event: WebhookEvent
    ) throws -> FlowMove {
        try check(username: username, for: account.id)
        var user = account.user
        user.rename(username, at: now)
        try db.update(user)
        try audit(.usernameChanged, account, ["username": username])
        try announce(event, userID: account.id)
        note("username set", "The user \(account.id) is called \(username) now.")
        return .proceed(.profileInit)
    }
}
