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

    private init(_ code: Code, _ explanation: String) { (self.code, self.explanation) = (code, explanation) }
}

extension OperationRefusal {
    static func unknown(_ id: String, _ code: Code = .operationUnknown) -> Self {
        Self(code, "There is no operation “\(id.prefix(60))”.")
    }

    static func ofAnotherUser(_ id: String) -> Self {
        Self(
            .operationUnknown,
            "The operation \(id) belongs to another user, which looks as if it did not exist.")
    }

    static func applicationUnknown(_ id: String) -> Self {
        Self(.applicationUnknown, "There is no application “\(id.prefix(60))”.")
    }

    /// - Parameter end: since when it is in that state, for the middle of a sentence.
    fileprivate static func over(_ code: Code, _ id: String, _ state: Operation.State, _ end: String) -> Self
    {
        Self(code, "The operation \(id) is \(state.rawValue)\(end), expected PENDING.")
    }
}

/// Of an approval.
extension OperationRefusal {
    static func approvalIncomplete(without part: String) -> Self {
        Self(.invalidRequest, "The approval comes without \(part).")
    }

    static func approvedByStranger(_ user: String, _ operation: Operation) -> Self {
        let owner =
            operation.user.map { "belongs to “\($0)”" } ?? "has no user yet and must be claimed first"
        return Self(
            .cannotBeApproved,
            "The operation \(operation.id) \(owner), and “\(user)” approves it; nothing is counted.")
    }
}

/// Of a creation.
extension OperationRefusal {
    static var templateMissing: Self {
        Self(.invalidRequest, "An operation needs the name of a template.")
    }

    static func templateUnknown(_ name: String, known: [String]) -> Self {
        let names = known.isEmpty ? "none" : known.joined(separator: ", ")
        return Self(
            .templateUnknown,
            "There is no operation template “\(name.prefix(60))”; known are: \(names).")
    }

    static var applicationMissing: Self {
        Self(.invalidRequest, "An operation needs at least one application.")
    }

    static var registrationTooLong: Self {
        Self(.invalidRequest, "The id of a registration has at most 37 characters.")
    }

    static func registrationUnknown(_ id: String) -> Self {
        Self(.activationUnknown, "There is no registration “\(id)”.")
    }

    static func registrationForeign(_ device: Activation, user: String) -> Self {
        Self(
            .invalidRequest,
            "The registration \(device.id) belongs to “\(device.user)”, and the operation is for “\(user)”."
        )
    }

    static func dataTooLong(limit: Int) -> Self {
        Self(
            .invalidRequest,
            "With these parameters the data of the operation has more than \(limit) bytes.")
    }

    static func expiryInPast(_ expiry: Date, now: Date) -> Self {
        Self(.invalidRequest, "An operation expires in the future, and \(expiry) is not after \(now).")
    }

    static func controlCharacter(in parameter: String) -> Self {
        Self(
            .invalidRequest,
            "The parameter “\(parameter)” has a control character in it; only line feeds are allowed.")
    }
}

extension Operation {
    /// Why nothing changes it any more; nil while it is pending.
    func refusalToChange(_ code: OperationRefusal.Code, at now: Date) -> OperationRefusal? {
        let state = state(at: now)
        if state == .pending { return nil }
        let end = state == .expired ? " since \(Timestamp.text(expiresAt))" : ""
        return .over(code, id, state, end)
    }
}
