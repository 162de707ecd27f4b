import Essentials
import PlatformKit

extension FlowHook {
    /// Before `passcode_confirmation`: takes a token, and mails a code unless one for the address is still good.
    ///
    /// Without a token the state is shown with `rate_limit_exceeded` and no mail goes out. Shown with an error, the state mails
    /// nothing. Source: Hanko 2.7, Flow API.
    static let sendPasscode = FlowHook { step in
        guard step.mishap == nil else { return }
        do {
            try step.countMail()
        } catch let refusal as FlowRefusal {
            step.mishap = refusal
            return
        }
        if let passcode = step.flow.passcode, passcode.address == step.flow.stash.email,
            passcode.isUsable(at: step.now)
        {
            step.note(
                "passcode kept", about: passcode.address,
                "The passcode that was mailed to \(passcode.address) in this flow is still good; no other is sent."
            )
            return
        }
        try step.sendPasscode()
    }
}

/// Passcodes of flows: the newest code alone counts, for three tries.
extension FlowStep {
    /// Counts the mailing of a code to the address.
    mutating func countMail() throws {
        let address = flow.stash.email ?? ""
        let limit = configuration.rateLimiter.passcodeRule.map {
            CallLimit(
                rule: $0, key: "passcode/\(caller.address)/\(address)",
                calls: "passcodes for \(address) from \(caller.address) were asked for")
        }
        try count(limit, telling: "resend_after")
    }

    /// Mails a new code to the address of the stash, or the notice that there is none.
    mutating func sendPasscode() throws {
        guard let address = flow.stash.email else { return }
        let purpose = flow.stash.passcodePurpose ?? .login
        let rules = configuration.email
        let drawn =
            rules.passcodeCharset == .alphanumeric
            ? entropy.alphanumericPasscode() : entropy.numericPasscode()
        let code = purpose.carriesCode ? try turn.code(for: address, insteadOf: drawn) : drawn
        let id = entropy.uuid(for: "hanko.passcode")
        let passcode = FlowPasscode(
            id: id, address: address, digest: Passcode.digest(of: code, id: id), createdAt: now,
            expiresAt: now.addingTimeInterval(Double(rules.passcodeTTL)))
        flow.passcode = passcode
        let mail = PasscodeMail(
            purpose, code: code, serviceName: configuration.service.name, ttl: rules.passcodeTTL,
            expiresAt: passcode.expiresAt, address: address, language: caller.language)
        try announcer.send(mail.outgoing(), in: turn)
        note(
            purpose.carriesCode ? "passcode sent" : "notice sent", about: address,
            purpose.carriesCode
                ? "The passcode \(code) went to \(address) (\(purpose.rawValue)). It is valid for "
                    + "\(rules.passcodeTTL) s and \(FlowPasscode.triesAllowed) tries; codes mailed before are not any more."
                : purpose.noticeExplanation(address))
    }
}

extension FlowPasscode.Purpose {
    fileprivate func noticeExplanation(_ address: String) -> String {
        let told =
            "A mail without a code went to \(address) (\(rawValue)), and no code will ever succeed here: "
        return told
            + (self == .emailRegistrationAttempted
                ? "the address belongs to a user already, which production hides behind the passcode page."
                : "no user has the address, which production hides behind the passcode page.")
            + " privacy.show_account_existence_hints: true in the fixtures makes the flow say so."
    }
}
