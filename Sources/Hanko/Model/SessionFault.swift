import Essentials
import PlatformKit

/// Why a session token was not accepted.
enum SessionFault: Error, Sendable, Equatable {
    /// Neither a header nor a cookie carried one.
    case absent
    /// An `Authorization` header of another scheme than `Bearer`.
    case otherScheme(String)
    /// Not a JWT of ours; the text says how.
    case malformed(String)
    case unknownKey(String)
    case signatureWrong
    /// A token of something else.
    /// - Parameter words: what it is and where it belongs.
    case misplaced(String)
    case expired(seconds: Int, now: Date)
    case withoutSessionID
    /// No such row: signed out, pushed out by newer sessions, or of another world.
    case removed(String)
    case idle(seconds: Double, timeout: Double)

    var explanation: String {
        switch self {
        case .absent:
            "The request carries no session: neither \"Authorization: Bearer …\" nor the session cookie."
        case .otherScheme(let scheme):
            "The Authorization header says \"\(scheme.prefix(40))\", expected \"Bearer\"."
        case .malformed(let reason): "The session token is no JWT of this server: \(reason)."
        case .unknownKey(let kid):
            "The session token was signed with the key \"\(kid.prefix(60))\", which is none of this world's."
        case .misplaced(let words): "What came is no session token of this server: \(words)."
        case .signatureWrong: "The signature of the session token is wrong; the token was changed on its way."
        case .expired(let seconds, let now):
            "The session token expired \(seconds) s ago; the world's clock says \(Timestamp.text(now))."
        case .withoutSessionID:
            "The session token lacks the claim session_id, without which 2.x accepts none."
        case .removed(let id):
            "The session \(id.prefix(60)) does not exist any more: signed out, pushed out by newer ones, or of another world."
        case .idle(let seconds, let timeout):
            "The session lay idle \(Int(seconds)) s longer than the \(Int(timeout)) s that session.idle_timeout allows."
        }
    }
}
