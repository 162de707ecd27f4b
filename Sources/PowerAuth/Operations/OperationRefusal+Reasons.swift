import Essentials
import PlatformKit

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
