import Essentials
import HTTP
import PlatformKit

/// A refusal of the Cloud API.
///
/// Source: PowerAuth Cloud documentation, error codes. What does not exist is a 400 with a code of its own, not a 404.
typealias CloudRefusal = CodedRefusal<CloudCode>

enum CloudCode: String, RefusalCode, CaseIterable {
    case request = "ERROR_REQUEST"
    case registration = "ERROR_REGISTRATION"
    case registrationUnknown = "ERROR_REGISTRATION_NOT_FOUND"
    case registrationNotAllowed = "ERROR_REGISTRATION_NOT_ALLOWED"
    case registrationChange = "ERROR_REGISTRATION_CHANGE"
    case operationUnknown = "ERROR_OPERATION_NOT_FOUND"
    case operationStateChange = "ERROR_OPERATION_STATE_CHANGE"
    case otpInvalid = "ERROR_OTP_INVALID"
    case signatureInvalid = "ERROR_SIGNATURE_INVALID"
    case tokenInvalid = "ERROR_TOKEN_INVALID"
    case inbox = "ERROR_INBOX"
    case inboxUnknown = "ERROR_INBOX_NOT_FOUND"
    case pushMessage = "ERROR_PUSH_MESSAGE"
    case audit = "ERROR_AUDIT"
    case passkey = "ERROR_FIDO2"
    case generic = "ERROR_GENERIC"
}

extension CloudRefusal {
    /// - Parameter reason: for a user who asks for what is another application's, as if it were not there.
    static func registrationUnknown(_ id: String, _ reason: String? = nil) -> CloudRefusal {
        CloudRefusal(.registrationUnknown, "Registration \(id.prefix(60)) does not exist.", reason)
    }

    static func operationUnknown(_ id: String, _ reason: String? = nil) -> CloudRefusal {
        CloudRefusal(.operationUnknown, "Operation \(id.prefix(60)) does not exist.", reason)
    }

    /// Why an activation did not change, in the words of this API.
    init(_ refusal: ActivationRefusal) {
        if let id = refusal.missing {
            self = .registrationUnknown(id)
            return
        }
        switch refusal.code {
        case .applicationUnknown, .invalidRequest: self.init(.request, refusal.explanation)
        case .activationCannotBeMade:
            self.init(.registration, "The registration could not be created.", refusal.explanation)
        default:
            self.init(
                .registrationChange, "The registration cannot be changed in its present state.",
                refusal.explanation)
        }
    }

    /// Why an operation was not made or did not change, in the words of this API.
    init(_ refusal: OperationRefusal) {
        switch refusal.code {
        case .operationUnknown:
            self.init(.operationUnknown, "The operation does not exist.", refusal.explanation)
        case .activationUnknown:
            self.init(.registrationUnknown, "The registration does not exist.", refusal.explanation)
        case .stateForbidsChange, .cannotBeApproved, .cannotBeRejected:
            self.init(
                .operationStateChange, "The state of the operation does not allow the change.",
                refusal.explanation)
        case .invalidRequest, .applicationUnknown, .templateUnknown:
            self.init(.request, refusal.explanation)
        }
    }
}
