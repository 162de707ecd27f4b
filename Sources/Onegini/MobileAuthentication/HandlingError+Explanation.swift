extension HandlingError {
    var explanation: String {
        switch self {
        case .notHandleable(let reason), .answerUnreadable(let reason), .answerInvalid(let reason): reason
        case .disabled:
            "Mobile authentication is switched off in this world: onegini.mobile_authentication.enabled is false."
        case .transactionUnknown(let id):
            "There is no transaction \"\(id.prefix(60))\" in this world; it may be of another one, or ended more than a "
                + "day ago."
        case .expired(let id, let seconds):
            "The transaction \(id) expired \(seconds) s ago, by the world's clock. The portal has to start a new one."
        case .finished(let id, let state):
            "The transaction \(id) is \(state.rawValue); nothing can be fetched of it any more."
        case .otherMethod(let id, let method, let expected):
            "The transaction \(id) is of method \(method.rawValue), and this path is for \(expected)."
        case .codeWrong(let id, let attempt, let limit):
            "The OTP code is not the one of transaction \(id): wrong code \(attempt) of \(limit)"
                + (attempt >= limit
                    ? ", with which the transaction has failed and its portal is told."
                    : "; the transaction stays open. The QR code may have been read wrongly.")
        case .disenrolled(let profile):
            "The enrollment of profile \(profile) was revoked on the server. The device hears it this once, drops its keys "
                + "and enrolls again; from now on the answer is not_enrolled."
        case .notEnrolled(let profile):
            "The profile \(profile) is not enrolled for mobile authentication on this device: POST "
                + "/sdk/v1/mobile-auth/enroll with its public key first."
        case .keyUnusable(let profile, let error):
            "The certificate with which profile \(profile) enrolled cannot be used now: \(error.explanation)"
        case .alreadyFetched(let id):
            "This device has fetched the transaction \(id) already, and a message is handed out once. If the app lost it, "
                + "the transaction can only expire."
        case .fetchedElsewhere(let id):
            "Another device or profile has fetched the transaction \(id); it alone may handle it."
        case .forAnother(let id): "The transaction \(id) was sent to another device or profile."
        case .alreadyAnswered(let id, let state):
            "The transaction \(id) has its result already: it is \(state.rawValue)."
        case .notFetched(let id):
            "The transaction \(id) has not been fetched by anybody; an answer needs the challenge in its message."
        case .serverKeyMissing:
            "The device is enrolled, but the fixtures bring no OpenPGP key of the server any more; add one as onegini.pgp."
        }
    }
}
