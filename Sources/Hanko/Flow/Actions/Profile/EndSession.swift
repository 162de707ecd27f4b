import Essentials

extension FlowAction {
    /// `session_delete`: signs the user out elsewhere.
    static let deleteSession = FlowAction.onAccount(
        "session_delete", "Delete a session.",
        inputs: { turn, account in
            let choices = try turn.otherSessions(of: account.id).map {
                FlowInput.Choice(value: $0.id, name: $0.id)
            }
            return [FlowInput("session_id", .string, isRequired: true, isHidden: true, choices: choices)]
        },
        suspension: { turn, account in
            if !turn.configuration.session.allowsRevocation { return "session.allow_revocation is false" }
            return try turn.otherSessions(of: account.id).isEmpty ? "the user has no other session" : nil
        },
        run: { turn, form, account in
            let id = form.text("session_id")
            try SessionStore.delete(id, in: turn.db)
            turn.note("session deleted", "The session \(id) of the user \(account.id) has ended.")
            return .proceed(.profileInit)
        })
}

extension FlowHook {
    /// Before `profile_init`: where the user is signed in. Source: Hanko 2.7, `session.show_on_profile`.
    static let showSessions = FlowHook { turn in
        guard turn.configuration.session.isShownOnProfile, let current = turn.caller.session else { return }
        let sessions = try turn.sessions(of: current.userID)
        turn.payload["sessions"] = .array(
            try sessions.map { try .wire(ProfileSession($0, isCurrent: $0.id == current.id)) })
    }

    /// Before `profile_init`: whatever a detour remembered is done with. What the device can do is not.
    static let forgetDetour = FlowHook { turn in
        let capabilities = turn.flow.stash.capabilities
        turn.flow.stash = FlowStash()
        turn.flow.stash.capabilities = capabilities
    }
}

extension FlowTurn {
    fileprivate func sessions(of userID: String) throws -> [Session] {
        try SessionStore.active(
            of: userID, idleTimeoutSeconds: configuration.session.idleTimeoutSeconds, at: now, in: db)
    }

    fileprivate func otherSessions(of userID: String) throws -> [Session] {
        try sessions(of: userID).filter { $0.id != caller.session?.id }
    }
}
