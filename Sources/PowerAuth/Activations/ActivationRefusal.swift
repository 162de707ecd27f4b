import Essentials
import PlatformKit

/// Why an activation was not made or did not change, with the error code of the management API; every other API says it in its own
/// words.
struct ActivationRefusal: Refusal, Equatable {
    let code: ManagementCode
    let explanation: String
    /// Where the management API has a text of its own.
    var message: String?
    /// The activation that is not there.
    var missing: String?

    private init(
        _ code: ManagementCode, _ explanation: String, message: String? = nil, missing: String? = nil
    ) {
        (self.code, self.explanation, self.message, self.missing) = (code, explanation, message, missing)
    }
}

extension ActivationRefusal {
    static func unknown(_ id: String) -> Self {
        Self(.activationUnknown, "There is no activation \(id).", missing: id)
    }

    static func applicationUnknown(_ id: String) -> Self {
        Self(.applicationUnknown, "There is no application “\(id)”.")
    }

    static func versionMissing(application id: String) -> Self {
        Self(
            .activationCannotBeMade,
            "The application “\(id)” has no supported version: no app could use the activation.")
    }

    /// Published tests of the server compare the message.
    static func expiryInPast(_ date: Date, now: Date) -> Self {
        Self(
            .invalidRequest,
            "The activation would end at \(Timestamp.text(date)), but it is \(Timestamp.text(now)) in this world.",
            message:
                "requestObject.timestampActivationExpire - The activation expiration timestamp must be in the "
                + "future when initiating activation")
    }

    static func expired(_ id: String, at date: Date) -> Self {
        Self(
            .activationExpired,
            "The activation \(id) was not completed in time; it ended at \(Timestamp.text(date)).")
    }

    static func wrongState(_ state: Activation.State, wanted: String) -> Self {
        Self(.activationState, "The activation is \(state.rawValue), expected \(wanted).")
    }

    static var otpMissing: Self {
        Self(
            .otpWrong, "The activation requires an OTP and none was sent; this does not count as an attempt.")
    }

    static func otpWrong(attemptsLeft left: Int) -> Self {
        Self(.otpWrong, "The activation OTP is wrong; \(left.countedLeft("attempt")).")
    }

    static var otpInWrongPhase: Self {
        Self(.otpMode, "The activation checks its OTP in the other phase.")
    }

    /// An activation code that nobody was given, or that was used; a whole sentence.
    static func codeUnusable(_ reason: String) -> Self { Self(.activationUnknown, reason) }

    static func suiteUnsupported(_ suite: V4.Suite, _ taken: [ApplicationSuites.Algorithm]) -> Self {
        Self(
            .algorithmUnsupported,
            "The application does not take \(suite.rawValue), only \(taken.map(\.rawValue).joined(separator: ", "))."
        )
    }

    static func protocolTooOld(minimum: Int) -> Self {
        Self(
            .protocolUnsupported,
            "The application makes new activations of protocol \(minimum) alone; this key exchange is one of protocol 3."
        )
    }

    static func devicePointInvalid(_ fault: ProtocolFault) -> Self {
        Self(.invalidRequest, "The public key of the device cannot be used: \(fault).")
    }
}
