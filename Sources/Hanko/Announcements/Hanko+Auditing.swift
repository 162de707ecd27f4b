import HTTP

extension Hanko {
    /// Runs `body`; what it refuses is written to the audit log before it goes on. Calls beyond a rate limit are not.
    ///
    /// - Parameters:
    ///   - failure: the type of the entry.
    ///   - userID: whose doing it is, if there is such a user.
    func auditing<Value>(
        _ failure: AuditType, _ request: Request, userID: String? = nil, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let refusal as HankoError {
            if case .rateLimited = refusal { throw refusal }
            try audit(
                failure, request, userID: refusal.isOfUnknownUser ? nil : userID, error: refusal.auditNote)
            throw refusal
        }
    }
}

extension HankoError {
    /// What went wrong, in the few words of the audit log.
    ///
    /// Source: Hanko 2.7, the handlers of the classic endpoints; for the rest the words of the answer.
    var auditNote: String {
        switch self {
        case .limited(_, let refusal): refusal.auditNote
        case _ where isOfUnknownUser: "unknown user"
        case .passcodeUnknown: "unknown passcode"
        case .passcodeExpired: "timed out passcode"
        case .passcodeWrong: "passcode invalid"
        case .passcodeExhausted: "max attempts reached"
        case .webAuthn(.challenge(.ofAnother, _)): "user session does not match sessionData subject"
        case .webAuthn(.challenge): "received unknown challenge"
        case .webAuthn(.assertion): "assertion validation failed"
        case .password(.tooShort): "password too short"
        case .password(.tooLong): "password too long"
        case .password(.ofAnother(let id, let signedInAs)): "wrong user: expected \(signedInAs) -> got \(id)"
        case .password(.absent): "user has no password credential"
        case .password(.wrong): "password hash not equal"
        default: wire.message ?? wire.status.reason
        }
    }

    fileprivate var isOfUnknownUser: Bool {
        switch self {
        case .limited(_, let refusal): refusal.isOfUnknownUser
        case .userUnknown, .webAuthn(.userUnknown), .webAuthn(.userOfResponseGone), .password(.userUnknown):
            true
        default: false
        }
    }
}
