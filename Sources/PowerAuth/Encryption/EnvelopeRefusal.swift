import Essentials
import PlatformKit

/// Why an encrypted request was not opened.
struct EnvelopeRefusal: Refusal {
    /// How the management API calls it; every other API has words of its own.
    let code: ManagementCode
    private let sentence: String
    /// What there is to find out more, in place of the sentence; it may take milliseconds.
    private var wrong: (part: String, finding: @Sendable () -> String?)?

    private init(_ sentence: String, _ code: ManagementCode = .invalidRequest) {
        (self.sentence, self.code) = (sentence, code)
    }

    var explanation: String {
        guard let wrong, let finding = wrong.finding() else { return sentence }
        return "The \(wrong.part) of the encrypted request is wrong: it would be right for \(finding)."
    }
}

/// Of the headers.
extension EnvelopeRefusal {
    static var headerMissing: Self {
        Self(
            "The request is encrypted, and neither \(EncryptionHeader.name) nor \(AuthorizationHeader.name) says with which keys."
        )
    }

    static func headerMalformed(_ refusal: HeaderRefusal) -> Self { Self(refusal.explanation) }

    static func versionOutOfPlace(_ version: RequestVersion, expected: String) -> Self {
        Self("The headers speak version \(version.rawValue); at this path it is \(expected).")
    }

    static func applicationKeyUnknown(_ key: String) -> Self {
        Self("No application has a version with the key \(key).", .applicationUnknown)
    }

    static func versionUnsupported(_ name: String) -> Self {
        Self("The version \(name) of the application is not supported any more.", .applicationUnknown)
    }

    static var activationMissing: Self {
        Self(
            "The header \(EncryptionHeader.name) has no activation_id; this endpoint is encrypted for an activation."
        )
    }

    static var activationUnexpected: Self {
        Self(
            "The header \(EncryptionHeader.name) has an activation_id; this endpoint is encrypted for the application."
        )
    }

    static func activationUnknown(_ id: String) -> Self {
        Self("There is no activation \(id) that has exchanged keys.", .activationUnknown)
    }

    static func activationOfOtherProtocol(_ id: String, _ generation: Int) -> Self {
        Self(
            "The activation \(id) speaks protocol \(generation), the request \(generation == 4 ? "3" : "4.0").",
            .activationState)
    }

    static func activationForeign(_ id: String, application: String) -> Self {
        Self(
            "The activation \(id) belongs to another application than the key in the header, which is of \(application).",
            .applicationUnknown)
    }

    static func activationNotActive(_ id: String, _ state: Activation.State) -> Self {
        Self("The activation \(id) is \(state.rawValue), expected ACTIVE.", .activationState)
    }
}

/// Of the temporary key.
extension EnvelopeRefusal {
    static func temporaryKeyUnknown(_ id: String) -> Self {
        Self(
            "There is no temporary key \(id): it was never issued, or is forgotten because it expired.",
            .temporaryKeyMissing)
    }

    static func temporaryKeyExpired(_ id: String, _ date: Date) -> Self {
        Self(
            "The temporary key \(id) expired at \(Timestamp.text(date)); a device asks for another one in time.",
            .temporaryKeyMissing)
    }

    static func temporaryKeyForeign(_ id: String, activation: String?) -> Self {
        Self(
            "The temporary key \(id) was given to "
                + (activation.map { "the activation \($0)" } ?? "an application, not to an activation")
                + "; it cannot be used by others, nor with another application key.", .temporaryKeyMissing)
    }
}

/// Of what was encrypted.
extension EnvelopeRefusal {
    static func bodyMalformed(_ reason: String) -> Self { Self("The encrypted body is not JSON: \(reason).") }

    /// - Parameters:
    ///   - milliseconds: that the request is ahead of our clock; below zero it is late.
    ///   - limit: in seconds.
    static func timeOff(milliseconds: Int, limit: Int) -> Self {
        Self(
            "The timestamp of the encrypted request is \(seconds(milliseconds.magnitude)) s in the "
                + "\(milliseconds < 0 ? "past" : "future"), \(limit) s are allowed; compare the clocks.")
    }

    /// With its thousandths, where there are any: a request that is a moment too late must not look as if it were in time.
    private static func seconds(_ milliseconds: UInt) -> String {
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return rest == 0 ? "\(whole)" : "\(whole)." + String(String(rest + 1000).dropFirst())
    }

    /// - Parameter key: by which it was encrypted.
    static func replayed(key: String) -> Self {
        Self("This encrypted request was sent before: same \(key) and nonce; each request needs its own.")
    }

    /// - Parameter finding: what it would be right for, where that can be found out.
    static func undecipherable(
        _ fault: ProtocolFault, _ purpose: EnvelopePurpose, _ version: ProtocolVersion,
        finding: @escaping @Sendable () -> String?
    ) -> Self {
        let unfit = "The encrypted request does not fit version \(version.rawValue): \(fault)."
        if case .malformed = fault { return Self(unfit, .decryptionFailed) }
        guard case .wrong(let part) = fault else { return Self(unfit) }
        var refusal = Self(
            "The \(part) of the encrypted request is wrong: the ciphertext was changed, or the sender has other keys, another "
                + "application secret, another sharedInfo1 than “\(purpose.rawValue)”, or speaks another version than "
                + "\(version.rawValue).", .decryptionFailed)
        refusal.wrong = (part, finding)
        return refusal
    }

    /// Of protocol 4.0.
    ///
    /// - Parameter finding: what it would be right for, where that can be found out.
    static func unopened(
        _ fault: ProtocolFault, _ purposes: [String], finding: @escaping @Sendable () -> String?
    ) -> Self {
        guard case .wrong(let part) = fault else {
            return Self("The encrypted request does not fit version 4.0: \(fault).", .decryptionFailed)
        }
        let purpose = purposes.map { "“\($0)”" }.joined(separator: " or ")
        var refusal = Self(
            "It does not open: \(part) is wrong. The ciphertext was changed, or the sender has another temporary secret, another "
                + "application secret, or another sharedInfo1 than \(purpose).", .decryptionFailed)
        refusal.wrong = ("tag", finding)
        return refusal
    }
}
