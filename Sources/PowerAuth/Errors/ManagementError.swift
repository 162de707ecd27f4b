import Essentials
import HTTP
import PlatformKit

/// A refusal of the management API: always 400. Source: the published error codes of the PowerAuth Server.
struct ManagementError: PowerAuthRefusal, Equatable {
    enum Code: String, Sendable, CaseIterable {
        case userMissing = "ERR0001"
        case applicationMissing = "ERR0002"
        case activationExpired = "ERR0007"
        case activationState = "ERR0008"
        case activationUnknown = "ERR0009"
        case signatureInvalid = "ERR0012"
        case urlInvalid = "ERR0014"
        case applicationUnknown = "ERR0015"
        case decryptionFailed = "ERR0018"
        case invalidRequest = "ERR0024"
        case recoveryCodeExists = "ERR0025"
        case recoveryCodeUnknown = "ERR0027"
        case recoveryCodeInvalid = "ERR0028"
        case recoveryConfigurationInvalid = "ERR0029"
        case tokenTooOld = "ERR0030"
        case otpWrong = "ERR0031"
        case otpMode = "ERR0032"
        case templateUnknown = "ERR0033"
        case operationUnknown = "ERR0034"
        case operationState = "ERR0036"
        case operationCannotBeApproved = "ERR0037"
        case operationCannotBeRejected = "ERR0038"
        case templateExists = "ERR0039"
        case activationCannotBeMade = "ERR0040"
        case applicationExists = "ERR0043"
        case tokenTooFarAhead = "ERR0044"
        case temporaryKeyMissing = "ERR0045"
    }

    let code: Code
    let message: String
    let explanation: String
    /// Further members of the response object.
    var members: [String: JSONValue] = [:]

    init(_ code: Code, _ message: String, _ explanation: String? = nil) {
        (self.code, self.message, self.explanation) = (code, message, explanation ?? message)
    }

    var wire: WireError { WireError(.badRequest, code.rawValue, message, members: members) }

    /// The same, when it is about one of many and none of them changed.
    func about(_ id: String) -> ManagementError {
        ManagementError(
            code, message, "Because of \(id) nothing changed, neither this one nor the others. \(explanation)"
        )
    }
}

extension ManagementError {
    init(_ refusal: ActivationRefusal) {
        let code: Code =
            switch refusal {
            case .unknown, .codeUnusable: .activationUnknown
            case .applicationUnknown: .applicationUnknown
            case .versionMissing: .activationCannotBeMade
            case .expiryInPast: .invalidRequest
            case .expired: .activationExpired
            case .wrongState: .activationState
            case .otpMissing, .otpWrong: .otpWrong
            case .otpInWrongPhase: .otpMode
            case .devicePointInvalid: .invalidRequest
            }
        if case .expiryInPast = refusal {
            // Published tests of the server compare this text.
            self.init(
                code,
                "requestObject.timestampActivationExpire - The activation expiration timestamp must be in the future when "
                    + "initiating activation", refusal.explanation)
        } else {
            self.init(code, refusal.explanation)
        }
    }

    init(_ refusal: OperationRefusal) {
        self.init(Code(rawValue: refusal.code.rawValue) ?? .invalidRequest, refusal.explanation)
    }

    init(_ refusal: TokenRefusal) {
        let code: Code =
            switch refusal {
            case .tooOld: .tokenTooOld
            case .tooFarAhead: .tokenTooFarAhead
            case .replayed: .invalidRequest
            }
        self.init(code, refusal.explanation)
    }
}

extension ManagementError {
    /// The same as a device would hear, in the words of this API.
    init(_ error: MobileError) {
        switch error.cause {
        case let refusal as ActivationRefusal: self.init(refusal)
        case let refusal as EnvelopeRefusal: self.init(refusal)
        default:
            self.init(Code(error.kind), error.explanation)
            members["currentRecoveryPukIndex"] = error.currentPUKIndex.map(JSONValue.integer)
        }
    }

    init(_ refusal: EnvelopeRefusal) {
        let code: Code =
            switch refusal {
            case .applicationKeyUnknown, .versionUnsupported, .activationForeign: .applicationUnknown
            case .activationUnknown: .activationUnknown
            case .activationNotActive: .activationState
            case .temporaryKeyUnknown, .temporaryKeyExpired, .temporaryKeyForeign: .temporaryKeyMissing
            case .undecipherable(.wrong, _, _, _), .undecipherable(.malformed, _, _, _): .decryptionFailed
            case .headerMissing, .headerMalformed, .activationMissing, .activationUnexpected, .bodyMalformed,
                .timeOff, .replayed, .undecipherable:
                .invalidRequest
            }
        self.init(code, refusal.explanation)
    }
}

extension ManagementError.Code {
    fileprivate init(_ kind: MobileError.Kind) {
        self =
            switch kind {
            case .recovery: .recoveryCodeInvalid
            case .recoveryConfirmation: .recoveryCodeUnknown
            case .upgrade: .activationState
            case .temporaryKey: .temporaryKeyMissing
            default: .invalidRequest
            }
    }
}
