/// What came of an approval or a rejection.
struct OperationResult: Sendable, Equatable {
    enum Word: String, Sendable {
        case approved = "APPROVED"
        case approvalFailed = "APPROVAL_FAILED"
        case operationFailed = "OPERATION_FAILED"
        case rejected = "REJECTED"
        case rejectFailed = "REJECT_FAILED"
    }

    let word: Word
    let operation: Operation
    /// Which check failed, for the journal.
    let explanation: String?
}
