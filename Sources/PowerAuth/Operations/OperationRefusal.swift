import Essentials
import PlatformKit

/// Why an operation was not made or did not change, with the error code of the management API; every other API says it in its own
/// words.
struct OperationRefusal: Refusal, Equatable {
    enum Code: String, Sendable {
        case invalidRequest = "ERR0024"
        case applicationUnknown = "ERR0015"
        case activationUnknown = "ERR0009"
        case templateUnknown = "ERR0033"
        case operationUnknown = "ERR0034"
        case stateForbidsChange = "ERR0036"
        case cannotBeApproved = "ERR0037"
        case cannotBeRejected = "ERR0038"
    }

    let code: Code
    let explanation: String

    init(_ code: Code, _ explanation: String) { (self.code, self.explanation) = (code, explanation) }
}

extension OperationRefusal {
    static func unknown(_ id: String, _ code: Code = .operationUnknown) -> OperationRefusal {
        OperationRefusal(code, "There is no operation \"\(id.prefix(60))\".")
    }

    static func applicationUnknown(_ id: String) -> OperationRefusal {
        OperationRefusal(.applicationUnknown, "There is no application \"\(id.prefix(60))\".")
    }
}

extension Operation {
    /// Why nothing changes it any more; nil while it is pending.
    func refusalToChange(_ code: OperationRefusal.Code, at now: Date) -> OperationRefusal? {
        let state = state(at: now)
        if state == .pending { return nil }
        let end = state == .expired ? " since \(Timestamp.text(expiresAt))" : ""
        return OperationRefusal(code, "The operation \(id) is \(state.rawValue)\(end), expected PENDING.")
    }
}
