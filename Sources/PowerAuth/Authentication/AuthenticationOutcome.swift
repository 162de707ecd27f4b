import Essentials

/// What came of an authentication code, an offline code or a MAC token.
struct AuthenticationOutcome: Sendable, Equatable {
    let isValid: Bool
    /// After the check; nil for one that never was.
    let activation: Activation?
    /// Nil when the application key fits no supported version of the activation's application: back ends hear less then.
    let application: Application?
    let type: SignatureType?
    /// Right after success the maximum, 0 when blocked.
    let remainingAttempts: Int
    /// Nil when valid.
    let failure: AuthenticationFailure?

    /// For the journal: what was checked, expected and got, what would have been right, and how many attempts remain. Empty when valid.
    ///
    /// It is found when asked for, which may take milliseconds: not inside of a transaction.
    var explanation: String { failure?.explanation ?? "" }
}

extension AuthenticationOutcome {
    static func refusal(
        _ failure: AuthenticationFailure, _ activation: Activation? = nil, _ application: Application? = nil,
        _ type: SignatureType? = nil, remaining: Int = 0
    ) -> AuthenticationOutcome {
        AuthenticationOutcome(
            isValid: false, activation: activation, application: application, type: type,
            remainingAttempts: remaining, failure: failure)
    }
}

/// Why a code or a token is not valid.
enum AuthenticationFailure: Sendable, Equatable {
    case activationUnknown(String)
    case activationNotActive(String, Activation.State, blockedReason: String?)
    /// The application key is nobody's, of an unsupported version, or of another application.
    case applicationKeyWrong(ApplicationKeyFault, Attempts)
    case codeWrong(WrongCode, Attempts)
    /// The header speaks another protocol than the activation.
    case protocolOther(String, RequestVersion, activation: Int)
    case tokenUnknown(String)
    /// The caller may check no token of this application: to it there is none.
    case tokenOutOfReach(String, application: String)
    case tokenDigestWrong(WrongTokenDigest)

    enum ApplicationKeyFault: Sendable, Equatable {
        case unknown(String)
        case unsupported(version: String)
        case foreign(application: String, expected: String)
    }

    /// What a failure cost.
    struct Attempts: Sendable, Equatable {
        /// False for possession alone.
        let isCounted: Bool
        let remaining: Int
    }

    static func activationNotActive(_ activation: Activation) -> Self {
        .activationNotActive(activation.id, activation.state, blockedReason: activation.blockedReason)
    }

    var explanation: String {
        switch self {
        case .activationUnknown(let id):
            "There is no activation \(id): it is reported as REMOVED, and nothing is counted."
        case .activationNotActive(let id, let state, let reason):
            "The activation \(id) is \(state.rawValue)" + (reason.map { " (\($0))" } ?? "")
                + ", expected ACTIVE; nothing was checked and nothing is counted."
        case .applicationKeyWrong(let fault, let attempts): fault.sentence + " " + attempts.sentence
        case .codeWrong(let code, let attempts):
            Diagnosis(code).sentences.joined(separator: " ") + " " + attempts.sentence
        case .protocolOther(let id, let version, let generation):
            "The activation \(id) speaks protocol \(generation), the header \(version.rawValue); nothing was checked and nothing is "
                + "counted."
        case .tokenUnknown(let id): "There is no token \(id): it was removed, or never existed."
        case .tokenOutOfReach(let id, let application):
            "The token \(id) belongs to the application “\(application)”, which is not assigned to the system user who asks: to "
                + "this caller it is not there, and nothing is remembered of it."
        case .tokenDigestWrong(let token): token.sentence
        }
    }
}

extension AuthenticationFailure.ApplicationKeyFault {
    fileprivate var sentence: String {
        switch self {
        case .unknown(let key): "No application has a version with the key \(key)."
        case .unsupported(let version):
            "The version \(version) of the application is not supported any more: its key proves nothing."
        case .foreign(let application, let expected):
            "The application key is of \(application), the activation belongs to \(expected)."
        }
    }
}

extension AuthenticationFailure.Attempts {
    fileprivate var sentence: String {
        guard isCounted else { return "A code of possession alone costs no attempt." }
        return switch remaining {
        case 0: "No attempt remains: the activation is blocked."
        case 1: "1 attempt remains."
        default: "\(remaining) attempts remain."
        }
    }
}
