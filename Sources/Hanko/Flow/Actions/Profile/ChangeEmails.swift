import Essentials
import SQLite

extension FlowAction {
    /// `email_create`: one more address.
    ///
    /// An address of somebody else is not told from a free one where it has to be confirmed anyway, unless
    /// `privacy.show_account_existence_hints` is set. Source: Hanko 2.7, Flow API.
    static let createEmail = FlowAction.onAccount(
        "email_create", "Add an email address.",
        inputs: { step, _ in
            [
                FlowInput(
                    "email", .email, maxLength: step.configuration.email.maxLength, isRequired: true,
                    isTrimmed: true, isLowercased: true)
            ]
        },
        suspension: { step, account in
            let rules = step.configuration.email
            if !rules.isEnabled { return "email.enabled is false" }
            return account.emails.count < rules.limit
                ? nil : "email.limit is \(rules.limit), and the user has as many addresses"
        },
        run: { step, form, account in
            let address = form.text("email")
            let owner = try step.db.email(address: address)?.userID
            let (rules, privacy) = (step.configuration.email, step.configuration.privacy)
            if let owner, owner == account.id || !rules.requiresVerification || privacy.showsAccountExistence
            {
                throw FlowRefusal.emailExists(address, userID: owner)
            }
            guard rules.requiresVerification else {
                try step.giveUnverified(address, to: account)
                return .proceed(.profileInit)
            }
            if let owner {
                step.note(
                    "address taken", about: address,
                    "The address \(address) belongs to the user \(owner) already; production shows the passcode page and mails a "
                        + "notice without a code. No code will ever succeed here.")
            }
            return step.confirm(address, owner == nil ? .emailVerification : .emailRegistrationAttempted)
        })

    /// `email_verify`: a passcode for an address that the user has and never confirmed.
    static let verifyEmail = FlowAction.onAccount(
        "email_verify", "Verify an email address.",
        inputs: { _, _ in [FlowInput("email_id", .string, isRequired: true, isHidden: true)] },
        suspension: { step, account in
            if !step.configuration.email.isEnabled { return "email.enabled is false" }
            return account.emails.contains { !$0.isVerified } ? nil : "every address is verified"
        },
        run: { step, form, account in
            step.confirm(try account.email(form).address, .emailVerification)
        })

    /// `email_set_primary`: the address that tokens carry and notifications go to.
    static let makeEmailPrimary = FlowAction.onAccount(
        "email_set_primary", "Make an email address the primary one.",
        inputs: { _, _ in [FlowInput("email_id", .string, isRequired: true, isHidden: true)] },
        suspension: { step, account in
            if !step.configuration.email.isEnabled { return "email.enabled is false" }
            return account.emails.contains { !$0.isPrimary } ? nil : "there is no address but the primary one"
        },
        run: { step, form, account in
            let email = try account.email(form)
            if email.isPrimary { return .proceed(.profileInit) }
            try step.db.makePrimary(email.id, of: account.id, at: step.now)
            try step.audit(.primaryEmailChanged, userID: account.id, address: email.address)
            try step.announce(.userUpdateEmailPrimary, userID: account.id)
            // To the old one: whoever has that must hear of it.
            if let old = account.primaryEmail {
                try step.notify(
                    .primaryEmailUpdate, account,
                    ["old_email_address": old.address, "new_email_address": email.address])
            }
            step.note(
                "primary address changed", about: email.address,
                "The primary address of the user \(account.id) is \(email.address) now, before it was "
                    + "\(account.primaryEmail?.address ?? "none").")
            return .proceed(.profileInit)
        })

    /// `email_delete`: one address less. Which may go is said by the values that are allowed.
    static let deleteEmail = FlowAction.onAccount(
        "email_delete", "Delete an email address.",
        inputs: { step, account in
            let deletable = account.emails.filter {
                account.reasonToKeep($0, under: step.configuration) == nil
            }
            let choices = deletable.map { FlowInput.Choice(value: $0.id, name: $0.address) }
            return [
                FlowInput(
                    "email_id", .string, isRequired: true, isHidden: true,
                    choices: choices.isEmpty ? nil : choices)
            ]
        },
        run: { step, form, account in
            let email = try account.email(form)
            if let reason = account.reasonToKeep(email, under: step.configuration) {
                throw FlowRefusal.operationNotPermitted(
                    "The address \(email.address) has to stay: \(reason).")
            }
            try step.db.delete(Email.self, where: "id = \(email.id)")
            try step.audit(.emailDeleted, userID: account.id, address: email.address)
            try step.announce(.userUpdateEmailDelete, userID: account.id)
            try step.notify(.emailDelete, account, ["deleted_email_address": email.address])
            step.note(
                "address deleted", about: email.address,
                "The address \(email.address) is not the user \(account.id)'s any more.")
            return .proceed(.profileInit)
        })
}

extension Account {
    /// The address that the input `email_id` names.
    fileprivate func email(_ form: FlowForm) throws -> Email {
        let id = form.text("email_id")
        guard let email = emails.first(where: { $0.id == id }) else {
            throw FlowRefusal.notFound(
                "The user \(self.id) has no address with the id “\(id.prefix(60))”; payload.user.emails has the ids."
            )
        }
        return email
    }
}

extension FlowStep {
    /// Asks for a passcode, and comes back.
    fileprivate mutating func confirm(_ address: String, _ purpose: FlowPasscode.Purpose) -> FlowMove {
        (flow.stash.email, flow.stash.passcodePurpose) = (address, purpose)
        return .proceed(.passcodeConfirmation, .profileInit)
    }
}
