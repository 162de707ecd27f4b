import Essentials
import HTTP
import PlatformKit

/// A refusal of the management API: always 400. Source: the published error codes of the PowerAuth Server.
typealias ManagementRefusal = CodedRefusal<ManagementCode>

extension ManagementRefusal {
    /// The same as a server of that generation says it.
    func told(by generation: Int) -> ManagementRefusal {
        var told = ManagementRefusal(code.told(by: generation), message, explanation)
        told.members = members
        return told
    }

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
            // No PUK of a code that was blocked is the current one.
            if code == .recoveryPUKInvalid {
                members["currentRecoveryPukIndex"] = error.currentPUKIndex.map(JSONValue.integer)
            }
        }
    }

    init(_ refusal: EnvelopeRefusal) { self.init(refusal.code, refusal.explanation) }
}
