import Essentials
import PlatformKit

/// Why an encrypted request was not opened.
enum EnvelopeRefusal: Refusal {
    case headerMissing
    case headerMalformed(HeaderRefusal)
    case applicationKeyUnknown(String)
    case versionUnsupported(String)
    case activationMissing
    case activationUnexpected
    case activationUnknown(String)
    case activationForeign(String, application: String)
    case activationNotActive(String, Activation.State)
    case bodyMalformed(String)
    case temporaryKeyUnknown(String)
    case temporaryKeyExpired(String, Date)
    case temporaryKeyForeign(String, activation: String?)
    /// Milliseconds that the request is ahead of our clock, below zero it is late; the limit is in seconds.
    case timeOff(milliseconds: Int, limit: Int)
    case replayed
    /// With what there is to find out more; nil before a key was known.
    case undecipherable(ProtocolFault, EnvelopePurpose, ProtocolVersion, WrongEnvelope?)

    var explanation: String {
        switch self {
        case .headerMissing:
            "The request is encrypted, and neither \(EncryptionHeader.name) nor \(AuthorizationHeader.name) says with which keys."
        case .headerMalformed(let refusal): refusal.explanation
        case .applicationKeyUnknown(let key): "No application has a version with the key \(key)."
        case .versionUnsupported(let name):
            "The version \(name) of the application is not supported any more."
        case .activationMissing:
            "The header \(EncryptionHeader.name) has no activation_id; this endpoint is encrypted for an activation."
        case .activationUnexpected:
            "The header \(EncryptionHeader.name) has an activation_id; this endpoint is encrypted for the application."
        case .activationUnknown(let id): "There is no activation \(id) that has exchanged keys."
        case .activationForeign(let id, let application):
            "The activation \(id) belongs to another application than the key in the header, which is of \(application)."
        case .activationNotActive(let id, let state):
            "The activation \(id) is \(state.rawValue), expected ACTIVE."
        case .bodyMalformed(let reason): "The encrypted body is no JSON: \(reason)."
        case .temporaryKeyUnknown(let id):
            "There is no temporary key \(id): it was never given out, or it is forgotten since it expired."
        case .temporaryKeyExpired(let id, let date):
            "The temporary key \(id) expired at \(Timestamp.text(date)); a device asks for another one in time."
        case .temporaryKeyForeign(let id, let activation):
            "The temporary key \(id) was given to "
                + (activation.map { "the activation \($0)" } ?? "an application, not to an activation")
                + "; it cannot be used by others, nor with another application key."
        case .timeOff(let milliseconds, let limit):
            "The timestamp of the encrypted request is \(Self.seconds(milliseconds.magnitude)) s in the "
                + "\(milliseconds < 0 ? "past" : "future"), \(limit) s are allowed; compare the clocks."
        case .replayed:
            "This encrypted request came before: the same ephemeral key and nonce; each request needs its own."
        case .undecipherable(.wrong(let part), let purpose, let version, let wrong):
            wrong?.finding.map {
                "The \(part) of the encrypted request is wrong: it would be right for \($0)."
            }
                ?? "The \(part) of the encrypted request is wrong: the ciphertext was changed, or the sender has other keys, another "
                + "application secret, another sharedInfo1 than «\(purpose.rawValue)», or speaks another version than "
                + "\(version.rawValue)."
        case .undecipherable(let fault, _, let version, _):
            "The encrypted request does not fit version \(version.rawValue): \(fault)."
        }
    }

    /// With its thousandths, where there are any: a request that is a moment too late must not look as if it were in time.
    private static func seconds(_ milliseconds: UInt) -> String {
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return rest == 0 ? "\(whole)" : "\(whole)." + String(String(rest + 1000).dropFirst())
    }
}
