import Essentials
import PlatformKit
import SQLite

extension FlowAction {
    /// `session_delete`: signs the user out elsewhere.
    static let deleteSession = FlowAction.onAccount(
        "session_delete", "Delete a session.",
        inputs: { step, account in
            let choices = try step.otherSessions(of: account.id).map {
                FlowInput.Choice(value: $0.id, name: $0.id)
            }
            return [FlowInput("session_id", .string, isRequired: true, isHidden: true, choices: choices)]
        },
        suspension: { step, account in
            if !step.configuration.session.allowsRevocation { return "session.allow_revocation is false" }
            return try step.otherSessions(of: account.id).isEmpty ? "the user has no other session" : nil
        },
        run: { step, form, account in
            let id = form.text("session_id")
            if let session = try step.db.session(id) {
                try step.turn.delete(session)
                try step.announcer.announce(.sessionDeleteExplicitRevoke, session, in: step.turn)
            }
            step.note("session deleted", "The session \(id) of the user \(account.id) has ended.")
            return .proceed(.profileInit)
        })
}

extension FlowHook {
    /// Before `profile_init`: where the user is signed in. Source: Hanko 2.7, `session.show_on_profile`.
    static let showSessions = FlowHook { step in
        guard step.configuration.session.isShownOnProfile, let current = step.session else { return }
        let sessions = try step.sessions(of: current.userID)
        step.payload["sessions"] = .array(
            try sessions.map { try .wire(ProfileSession($0, isCurrent: $0.id == current.id)) })
    }

    /// Before `profile_init`: whatever a detour remembered is done with. What the device can do is not.
    static let forgetDetour = FlowHook { step in
        let capabilities = step.flow.stash.capabilities
        step.flow.stash = FlowStash()
        step.flow.stash.capabilities = capabilities
    }
}

extension FlowStep {
    fileprivate func sessions(of userID: String) throws -> [Session] {
        try db.activeSessions(of: userID, at: now).filter {
            $0.secondsIdle(beyond: configuration.session.idleTimeoutSeconds, at: now) == nil
        }
    }

    fileprivate func otherSessions(of userID: String) throws -> [Session] {
        try sessions(of: userID).filter { $0.id != session?.id }
    }
}
