import Crypto
import Essentials

/// The newest code that a flow mailed; the only one that counts in it.
///
/// It is kept beside the stash, not in it: going back and forth must not send mails again, and a wrong try counts although the
/// action that brought it is undone.
struct FlowPasscode: Codable, Sendable, Equatable {
    /// Wrong codes after which nothing but a new code helps.
    static let triesAllowed = 3

    let id: String
    let address: String
    /// See ``Passcode/digest(of:id:)``.
    let digest: [UInt8]
    let createdAt: Date
    let expiresAt: Date
    var wrongTries = 0

    /// What a passcode mail is about. The raw value is the name of its template.
    enum Purpose: String, Codable, Sendable, CaseIterable {
        case login, recovery
        case emailVerification = "email_verification"
        /// Nobody has the address that somebody wants to sign in with: a notice without a code.
        case emailLoginAttempted = "email_login_attempted"
        /// The address that somebody wants to register belongs to somebody else: a notice without a code.
        case emailRegistrationAttempted = "email_registration_attempted"

        /// Whether the mail says the code.
        var carriesCode: Bool { self != .emailLoginAttempted && self != .emailRegistrationAttempted }
    }

    /// What came of a code.
    enum Verdict: Sendable, Equatable {
        case right, wrong, expired, exhausted
    }

    /// Whether the code can still succeed, so that no other need be mailed.
    func isUsable(at now: Date) -> Bool { now <= expiresAt && wrongTries < Self.triesAllowed }

    /// The third wrong code and whatever follows is too much; expiry is looked at before the code.
    mutating func check(_ code: String, at now: Date) -> Verdict {
        guard wrongTries < Self.triesAllowed else { return .exhausted }
        guard now <= expiresAt else { return .expired }
        if constantTimeEqual(digest, Passcode.digest(of: code, id: id)) { return .right }
        wrongTries += 1
        return wrongTries < Self.triesAllowed ? .wrong : .exhausted
    }
}
