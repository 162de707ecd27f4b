import Essentials
import PlatformKit
import SQLite

extension FlowAction {
    /// `username_create` of a login: the username that the user lacks.
    static let onboardUsername = FlowAction(
        "username_create", "Set a new username.",
        inputs: { step in
            let rules = step.configuration.username
            return [
                FlowInput(
                    "username", .string, minLength: rules.minLength, maxLength: rules.maxLength,
                    isRequired: !rules.isOptional, isTrimmed: true, isLowercased: true)
            ]
        },
        run: { step, form in
            let (username, account) = (form.text("username"), try step.requireAccount())
            try step.check(username: username, for: account.id)
            var user = account.user
            user.rename(username, at: step.now)
            try step.db.update(user)
            step.flow.stash.username = username
            try step.audit(.usernameChanged, userID: account.id, address: account.primaryEmail?.address)
            try step.announce(.userUpdateUsernameCreate, userID: account.id)
            step.note("username set", "The user \(account.id) is called \(username) now.")
            return .proceed([], isRevertible: false)
        })

    /// `email_address_set` of a login: the address that the user lacks. An address that is somebody else's leads to a mere notice.
    static let onboardEmail = FlowAction(
        "email_address_set", "Set a new email address.",
        inputs: { step in
            let rules = step.configuration.email
            return [
                FlowInput(
                    "email", .string, maxLength: rules.maxLength, isRequired: !rules.isOptional,
                    isPreserved: true, isTrimmed: true, isLowercased: true)
            ]
        },
        run: { step, form in
            let address = form.text("email")
            guard FlowAddress.isValid(address) else {
                throw FlowRefusal.input(
                    "email", .invalid,
                    "Expected an email address in “email”, found “\(address.prefix(200))”.")
            }
            let owner = try step.db.email(address: address)?.userID
            guard step.configuration.email.requiresVerification else {
                if let owner { throw FlowRefusal.emailExists(address, userID: owner) }
                step.flow.stash.email = address
                try step.giveUnverified(address, to: step.requireAccount())
                return .proceed([], isRevertible: false)
            }
            step.flow.stash.email = address
            step.flow.stash.passcodePurpose = owner == nil ? .emailVerification : .emailRegistrationAttempted
            if let owner {
                step.note(
                    "address taken", about: address,
                    "The address \(address) belongs to the user \(owner) already; production shows the passcode page and "
                        + "mails a notice without a code. No code will ever succeed here.")
            }
            return .proceed(.passcodeConfirmation)
        })
}

extension FlowStep {
    /// An address that need not be confirmed.
    func giveUnverified(_ address: String, to account: Account) throws {
        let known = try db.email(address: address)
        let email = Email(
            id: known?.id ?? entropy.uuid(for: "hanko.email"), userID: account.id, address: address,
            isVerified: known?.isVerified ?? false, isPrimary: account.primaryEmail == nil,
            createdAt: known?.createdAt ?? now, updatedAt: now)
        if known == nil {
            try db.insert(email)
        } else {
            try db.confirm(email)
        }
        try tellOfNewAddress(address, account)
    }

    /// Audit log, webhook and journal about an address that a user has from now on.
    func tellOfNewAddress(_ address: String, _ account: Account) throws {
        try audit(.emailCreated, userID: account.id, address: address)
        try announce(.userUpdateEmailCreate, userID: account.id)
        if account.primaryEmail != nil { try notify(.emailCreate, account, ["new_email_address": address]) }
        note("address added", about: address, "The address \(address) is the user \(account.id)'s now.")
    }
}

extension FlowRefusal {
    static func emailExists(_ address: String, userID: String) -> Self {
        .input("email", .emailExists, "The address \(address) belongs to the user \(userID) already.")
    }
}
