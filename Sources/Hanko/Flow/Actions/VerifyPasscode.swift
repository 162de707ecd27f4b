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
            if let refusal = step.checkPasscode(code) { return .refuse(refusal) }
            let address = step.flow.stash.email ?? ""
            guard step.userID != nil || step.flow.stash.newUserID != nil else {
                return .refuse(
                    FlowRefusal(
                        .operationNotPermitted,
                        "The code is right, but nobody can be signed in or registered with \(address): the mail was a mere "
                            + "notice (\(step.flow.stash.passcodePurpose?.rawValue ?? "none"))."))
            }
            if let refusal = try step.confirmAddress() { return .refuse(refusal) }
            try step.proveIdentity()
            step.note(
                "passcode accepted", about: address, "The passcode for \(address) was right and is used up.")
            step.flow.passcode = nil
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
            if let refusal = try step.takeMailToken() { return .refuse(refusal) }
            step.sendPasscode()
            return .stay
        })
}

extension FlowStep {
    /// Why the code is refused; nil when it is right. A wrong one is counted.
    fileprivate mutating func checkPasscode(_ code: String) -> FlowRefusal? {
        guard var passcode = flow.passcode else {
            return .input(
                "code", .passcodeInvalid, "No passcode was mailed in this flow; resend_passcode mails one.")
        }
        guard passcode.address == flow.stash.email else {
            return .input(
                "code", .passcodeInvalid,
                "No passcode was mailed to \(flow.stash.email ?? "anybody") yet, since none may be for a while; the newest one of "
                    + "this flow went to \(passcode.address), and says nothing of another address.")
        }
        let verdict = passcode.check(code, at: now)
        flow.passcode = passcode
        let place = "The newest code for \(passcode.address) is in the outbox"
        switch verdict {
        case .right: return nil
        case .wrong:
            let left = FlowPasscode.triesAllowed - passcode.wrongTries
            return .input(
                "code", .passcodeInvalid,
                "The passcode \"\(code.prefix(40))\" is wrong; \(left) \(left == 1 ? "try" : "tries") left. \(place); "
                    + "only the newest counts.")
        case .expired:
            return .input(
                "code", .passcodeInvalid,
                "The passcode expired \(Int(now.timeIntervalSince(passcode.expiresAt).rounded(.up))) s ago by the world's clock, "
                    + "which can be moved; resend_passcode mails another.")
        case .exhausted:
            return FlowRefusal(
                .passcodeAttemptsExhausted,
                "Three wrong passcodes were entered, so not even the right one helps now; resend_passcode mails another."
            )
        }
    }

    /// Makes the address of the stash the verified one of the flow's user. A user who is still to be made gets it on `success`.
    ///
    /// - Returns: the refusal when somebody else confirmed the address meanwhile.
    mutating func confirmAddress() throws -> FlowRefusal? {
        guard let address = flow.stash.email else { return nil }
        flow.stash.isEmailVerified = true
        let known = try db.email(address: address)
        if let owner = known?.userID, owner != userID {
            return FlowRefusal(
                .operationNotPermitted,
                "The address \(address) was confirmed by the user \(owner) while this flow was under way.")
        }
        guard let account = try account() else { return nil }
        if let known, known.isVerified, known.userID == account.id { return nil }
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
        if known?.userID == nil { tellOfNewAddress(address, account) }
        add(.audit(.emailVerified, userID: account.id, address: address))
        note(
            "address verified", about: address,
            "The address \(address) is confirmed and belongs to the user \(account.id) now.")
        return nil
    }
}
