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
