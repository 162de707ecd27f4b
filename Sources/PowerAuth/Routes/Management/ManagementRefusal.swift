import Essentials
import HTTP
import PlatformKit

/// A refusal of the management API: always 400. Source: the published error codes of the PowerAuth Server.
struct ManagementRefusal: PowerAuthRefusal, Equatable {
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
    func about(_ id: String) -> ManagementRefusal {
        ManagementRefusal(
            code, message, "Because of \(id) nothing changed, neither this one nor the others. \(explanation)"
        )
    }
}

extension ManagementRefusal {
    init(_ refusal: ActivationRefusal) {
        self.init(refusal.code, refusal.message ?? refusal.explanation, refusal.explanation)
    }

    init(_ refusal: OperationRefusal) {
        self.init(Code(rawValue: refusal.code.rawValue) ?? .invalidRequest, refusal.explanation)
    }

    init(_ refusal: TokenRefusal) { self.init(refusal.code, refusal.explanation) }
}

extension ManagementRefusal {
    /// The same as a device would hear, in the words of this API.
    init(_ error: MobileRefusal) {
        switch error.cause {
        case let refusal as ActivationRefusal: self.init(refusal)
        case let refusal as EnvelopeRefusal: self.init(refusal)
        default:
            self.init(error.kind.managementCode, error.explanation)
            members["currentRecoveryPukIndex"] = error.currentPUKIndex.map(JSONValue.integer)
        }
    }

    init(_ refusal: EnvelopeRefusal) { self.init(refusal.code, refusal.explanation) }
}

extension ManagementRefusal.Code {
    /// For lists of the codes.
    var meaning: String {
        switch self {
        case .userMissing: "No user ID was set."
        case .applicationMissing: "No application ID was set."
        case .activationExpired: "The activation is expired."
        case .activationState: "The activation is in a wrong state."
        case .activationUnknown: "The activation was not found."
        case .signatureInvalid: "The signature is invalid."
        case .urlInvalid: "The URL is invalid."
        case .applicationUnknown: "The application is invalid."
        case .invalidRequest: "The request is invalid."
        case .tokenTooOld: "The timestamp of the token is too old."
        case .otpWrong: "The activation OTP does not match."
        case .otpMode: "The activation OTP cannot be used in this mode."
        case .templateUnknown: "The operation template was not found."
        case .operationUnknown: "The operation was not found."
        case .operationState: "The state of the operation does not allow the change."
        case .operationCannotBeApproved: "The operation cannot be approved."
        case .operationCannotBeRejected: "The operation cannot be rejected."
        case .templateExists: "The operation template exists already."
        case .activationCannotBeMade: "The activation cannot be created with these properties."
        case .applicationExists: "The application or version exists already."
        case .decryptionFailed: "The request could not be decrypted."
        case .recoveryCodeExists: "The user has a recovery code already."
        case .recoveryCodeUnknown: "The recovery code was not found."
        case .recoveryCodeInvalid: "The recovery code or its PUK is invalid."
        case .recoveryConfigurationInvalid: "The configuration of the recovery is invalid."
        case .temporaryKeyMissing: "The temporary key is missing or expired."
        case .tokenTooFarAhead: "The timestamp of the token is too far in the future."
        }
    }
}
