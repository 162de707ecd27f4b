import Essentials
import PlatformKit

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
        let code =
            rules.passcodeCharset == .alphanumeric
            ? entropy.alphanumericPasscode() : entropy.numericPasscode()
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
                ? "The passcode \(code) went to \(address) (\(purpose.rawValue)). It is good for "
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
