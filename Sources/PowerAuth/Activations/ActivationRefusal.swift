import Essentials
import PlatformKit

/// Why an activation was not made or did not change. Each API says it in its own words.
enum ActivationRefusal: Refusal, Equatable {
    case unknown(String)
    case applicationUnknown(String)
    case versionMissing(application: String)
    case expiryInPast(Date, now: Date)
    case expired(String, at: Date)
    case wrongState(Activation.State, wanted: String)
    case otpMissing
    case otpWrong(attemptsLeft: Int)
    case otpInWrongPhase
    /// An activation code that nobody was given, or that was used; a whole sentence.
    case codeUnusable(String)
    case devicePointInvalid(ProtocolFault)

    var explanation: String {
        switch self {
        case .unknown(let id): "There is no activation \(id)."
        case .applicationUnknown(let id): "There is no application \"\(id)\"."
        case .versionMissing(let id):
            "The application \"\(id)\" has no supported version: no app could use the activation."
        case .expiryInPast(let date, let now):
            "The activation would end at \(Timestamp.text(date)), but it is \(Timestamp.text(now)) in this world."
        case .expired(let id, let date):
            "The activation \(id) was not completed in time; it ended at \(Timestamp.text(date))."
        case .wrongState(let state, let wanted): "The activation is \(state.rawValue), expected \(wanted)."
        case .otpMissing: "The activation asks for an OTP and none came; that costs no attempt."
        case .otpWrong(let left): "The activation OTP is wrong; \(left) attempts are left."
        case .otpInWrongPhase: "The activation checks its OTP in the other phase."
        case .codeUnusable(let reason): reason
        case .devicePointInvalid(let fault): "The public key of the device cannot be used: \(fault)."
        }
    }
}
