import Essentials
import PlatformKit
import SQLite

extension FlowAction {
    /// `verify_passcode`: trades the mailed code for the address that it went to.
    static let verifyPasscode = FlowAction(
        "verify_passcode", "Enter a passcode.",
        inputs: { _ in [FlowInput("code", .string, isRequired: true)] },
        run: { step, form in
            let code = form.text("code")
            try step.checkPasscode(code)
            let address = step.flow.stash.email ?? ""
            guard step.userID != nil || step.flow.stash.newUserID != nil else {
                throw FlowRefusal.operationNotPermitted(
                    "The code is right, but no user can sign in or register with \(address): the mail was a mere "
                        + "notice (\(step.flow.stash.passcodePurpose?.rawValue ?? "none")).")
            }
            try step.confirmAddress()
            step.note(
                "passcode accepted", about: address, "The passcode for \(address) was right and is used up.")
            step.flow.passcode = nil
            try step.turn.spend(code: code, sentTo: address)
            if step.flow.kind == .login, step.flow.stash.loginMethod == nil {
                return try step.signIn(by: .passcode)
            }
            return try step.goOn(isRevertible: false)
        })

    /// `resend_passcode`: another code, which replaces the one before.
    ///
    /// It takes a token, and showing the state again takes another. Source: Hanko 2.7, Flow API.
    static let resendPasscode = FlowAction(
        "resend_passcode", "Send the passcode email again.",
        run: { step, _ in
            try step.countMail()
            try step.sendPasscode()
            return .stay
        })
}

extension FlowStep {
    /// That the code is right. A wrong one is counted.
    fileprivate mutating func checkPasscode(_ code: String) throws {
        guard var passcode = flow.passcode else {
            throw FlowRefusal.input(
                "code", .passcodeInvalid, "No passcode was mailed in this flow; resend_passcode mails one.")
        }
        guard passcode.address == flow.stash.email else {
            throw FlowRefusal.input(
                "code", .passcodeInvalid,
                "No passcode was mailed to \(flow.stash.email ?? "anybody") yet, since none may be for a while; the newest one of "
                    + "this flow went to \(passcode.address), and says nothing of another address.")
        }
        let verdict = passcode.check(code, at: now)
        flow.passcode = passcode
        let place = "The newest code for \(passcode.address) is in the outbox"
        switch verdict {
        case .right: return
        case .wrong:
            let left = FlowPasscode.triesAllowed - passcode.wrongTries
            throw FlowRefusal.input(
                "code", .passcodeInvalid,
                "The passcode “\(code.prefix(40))” is wrong; \(left.counted("try", "tries")) left. \(place); "
                    + "only the newest counts.")
        case .expired:
            throw FlowRefusal.input(
                "code", .passcodeInvalid,
                "The passcode expired \(now.seconds(since: passcode.expiresAt)) s ago by the world's clock, "
                    + "which can be moved; resend_passcode mails another.")
        case .exhausted:
            throw FlowRefusal.passcodeAttemptsExhausted(
                "Three wrong passcodes were entered, so not even the right one helps now; resend_passcode mails another."
            )
        }
    }

    /// Makes the address of the stash the verified one of the flow's user, and proves what a provider said of it. A user who is still to
    /// be made gets it on `success`.
    fileprivate mutating func confirmAddress() throws {
        guard let address = flow.stash.email else { return }
        flow.stash.isEmailVerified = true
        let known = try db.email(address: address)
        if let owner = known?.userID, owner != userID {
            throw FlowRefusal.operationNotPermitted(
                "The address \(address) was confirmed by the user \(owner) while this flow was under way.")
        }
        try proveIdentity()
        guard let account = try account() else { return }
        if let known, known.isVerified, known.userID == account.id { return }
        let email = Email(
            id: known?.id ?? entropy.uuid(for: "hanko.email"), userID: account.id, address: address,
            isVerified: true,
            isPrimary: known?.isPrimary ?? false || account.primaryEmail == nil,
            createdAt: known?.createdAt ?? now,
            updatedAt: now)
        if known == nil {
            try db.insert(email)
        } else {
            try db.confirm(email)
        }
        if known?.userID == nil { try tellOfNewAddress(address, account) }
        try audit(.emailVerified, userID: account.id, address: address)
        note(
            "address verified", about: address,
            "The address \(address) is confirmed and belongs to the user \(account.id) now.")
    }
}
