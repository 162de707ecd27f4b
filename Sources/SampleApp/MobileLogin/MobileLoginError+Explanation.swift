import Essentials
import PlatformKit

extension MobileLoginError {
    var explanation: String {
        switch self {
        case .requestMalformed(let reason): reason
        case .deviceUnnamed:
            "The request names no device: expected {\"registrationId\": \"…\"} in the body, or the header X-PowerAuth-Token, "
                + "whose registration is taken then."
        case .deviceUnknown(let id):
            "PowerAuth Cloud has no registration \(id.prefix(60)) that this back end may use: it never was, or it is another "
                + "application's."
        case .proofMissing(let header): "The header \(header) is missing."
        case .codeRefused(let status, let attempts):
            "PowerAuth Cloud says that the authentication code is not right for POST, the identifier /login and this body. The "
                + "registration is \(status ?? "unknown"), \(attempts.map { $0.countedLeft("attempt") } ?? "no attempts are left"). Its own entry "
                + "in the journal says what would have been right."
        case .factorsTooFew(let type):
            "The login was signed with \(type ?? "no factor"); it needs possession and one more factor."
        case .tokenRefused(let status):
            "PowerAuth Cloud says that the MAC token is not valid; the registration is \(status ?? "unknown")."
        case .tokenOfAnother(let got, let expected):
            "The MAC token is of the registration \(got), the login of \(expected)."
        case .loginUnknown(let id, let hasSession):
            hasSession
                ? "No login of this session has the operation \(id): only the session in which a login began can confirm it."
                : "The request has no session: the cookie app_login, or Authorization: Bearer with the session that /login/init gave."
        case .notApproved(let status): "The operation is \(status), expected APPROVED."
        case .usedAlready(let id): "The operation \(id) logged somebody in before; it is good once."
        case .otherUser(let got, let expected):
            "The operation was approved by \(got ?? "nobody"), the login began for \(expected)."
        case .otherRegistration(let got, let expected):
            "The operation is bound to the registration \(got ?? "of no device"), the login began for \(expected)."
        case .tooLate(let seconds, let limit):
            "The operation was approved \(seconds) s ago; a login has to be confirmed within \(limit) s."
        case .otherDevice(let member, let got, let expected):
            "The \(member) that confirms is \(got ?? "unknown"), the one that approved was \(expected ?? "unknown")."
        case .nobodyLoggedIn: "The request has no session of a logged-in user, or it has expired."
        case .platformSilent(let reason):
            "PowerAuth Cloud did not answer: \(reason). Check mobile_login.cloud in the fixtures, and that this machine can reach it."
        case .platformRefused(let purpose, let status, let body):
            "PowerAuth Cloud refused the \(purpose) with \(status): \(body)."
        case .platformConfused(let reason): "PowerAuth Cloud \(reason)."
        }
    }
}
