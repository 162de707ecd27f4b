import Essentials
import SQLite

/// What a back end asks for when it creates an operation.
struct NewOperation: Sendable {
    var template: String
    var user: String?
    var activation: String?
    /// Those of the caller.
    var applications: [String]
    var parameters: [String: String] = [:]
    var additionalData: [String: JSONValue] = [:]
    var language = "en"
    var externalID: String?
    var flag: String?
    var expiresAt: Date?
    /// The template's when nil.
    var checksProximity: Bool?
    var isSilent = false
}

/// What a device brings to approve or reject an operation.
struct OperationDecision: Sendable {
    var user: String
    var application: String
    var activation: String?
    var data: String
    var type: SignatureType
    var proximityOTP: String?
    /// Merged into the operation's, new keys win.
    var additionalData: [String: JSONValue] = [:]
}

/// The life of an operation: every change of state goes through here and makes news.
extension PowerAuth {
    /// As stored; the caller asks ``Operation/state(at:)``.
    func operation(_ id: String, in db: Connection) throws -> Operation? { try Operation.find(id, in: db) }

    /// Gives an operation of nobody to the user. One that is over is returned as it is.
    ///
    /// No news: the published server calls nobody back for it.
    func claim(_ id: String, for user: String, in turn: inout Turn) throws -> Result<
        Operation, OperationRefusal
    > {
        guard var operation = try Operation.find(id, in: turn.db) else {
            return .failure(.unknown(id))
        }
        guard operation.state(at: turn.now) == .pending, operation.user != user else {
            return .success(operation)
        }
        guard operation.user == nil else {
            return .failure(
                OperationRefusal(
                    .operationUnknown,
                    "The operation \(id) belongs to another user, which looks as if it did not exist."))
        }
        operation.user = user
        try turn.db.update(operation)
        return .success(operation)
    }

    /// The result says whether it was approved; a failed attempt is counted and returned, not thrown.
    func approve(
        _ id: String, _ decision: OperationDecision, in turn: inout Turn
    ) throws -> Result<OperationResult, OperationRefusal> {
        let found = try Operation.find(id, in: turn.db)
        let check = ApprovalCheck(
            id: id, decision: decision, isApplicationKnown: try knows(decision.application, in: turn.db),
            stepsBack: try settings(in: turn.db).proximityStepsBack, now: turn.now)
        switch try check.outcome(for: found) {
        case .refused(let refusal): return .failure(refusal)
        case .failed(var operation, let reason):
            return .success(try countFailure(&operation, decision.additionalData, reason, in: &turn))
        case .approved(var operation):
            operation.state = .approved
            operation.user = decision.user
            operation.finalizedAt = turn.now
            operation.merge(decision.additionalData)
            try store(operation, in: &turn)
            return .success(OperationResult(word: .approved, operation: operation, explanation: nil))
        }
    }

    /// Counts an attempt whose authentication failed.
    func failApproval(
        _ id: String, additionalData: [String: JSONValue], in turn: inout Turn
    ) throws -> Result<OperationResult, OperationRefusal> {
        guard var operation = try Operation.find(id, in: turn.db) else { return .failure(.unknown(id)) }
        if let refusal = operation.refusalToChange(.stateForbidsChange, at: turn.now) {
            return .failure(refusal)
        }
        return .success(
            try countFailure(&operation, additionalData, "its authentication failed", in: &turn))
    }

    func reject(
        _ id: String, _ decision: OperationDecision, in turn: inout Turn
    ) throws -> Result<OperationResult, OperationRefusal> {
        guard var operation = try Operation.find(id, in: turn.db) else {
            return .failure(.unknown(id, .cannotBeRejected))
        }
        guard try knows(decision.application, in: turn.db) else {
            return .failure(.applicationUnknown(decision.application))
        }
        if let refusal = operation.refusalToChange(.cannotBeRejected, at: turn.now) {
            return .failure(refusal)
        }
        guard operation.user == nil || operation.user == decision.user,
            operation.applications.contains(decision.application)
        else {
            return .success(
                OperationResult(
                    word: .rejectFailed, operation: operation,
                    explanation: "The operation \(id) belongs to another user or to other applications."))
        }
        operation.state = .rejected
        operation.user = decision.user
        operation.finalizedAt = turn.now
        operation.merge(decision.additionalData)
        try store(operation, in: &turn)
        return .success(OperationResult(word: .rejected, operation: operation, explanation: nil))
    }

    func cancel(
        _ id: String, reason: String?, additionalData: [String: JSONValue], in turn: inout Turn
    ) throws -> Result<Operation, OperationRefusal> {
        guard var operation = try Operation.find(id, in: turn.db) else { return .failure(.unknown(id)) }
        if let refusal = operation.refusalToChange(.stateForbidsChange, at: turn.now) {
            return .failure(refusal)
        }
        operation.state = .canceled
        operation.stateReason = reason
        operation.merge(additionalData)
        try store(operation, in: &turn)
        return .success(operation)
    }

    /// Stores EXPIRED for at most 100 pending operations whose time is up, with news.
    func expireOverdueOperations(in turn: inout Turn) throws {
        for var operation in try overdue(in: turn) {
            operation.state = .expired
            try store(operation, in: &turn)
        }
    }

    private func overdue(in turn: Turn) throws -> [Operation] {
        try turn.db.all(
            Operation.self, where: "state = 'PENDING' AND expires_at <= \(turn.now)",
            order: "expires_at", limit: 100)
    }

    /// For those who only read: has expiry stored and told once as soon as it is seen, which the published server leaves to a job
    /// that runs every five seconds.
    func settleExpiry(of found: [Operation], at now: Date) throws {
        let isDue = found.contains { $0.state == .pending && $0.state(at: now) == .expired }
        if isDue { try change { _ in } }
    }

    /// Ends an operation before its time.
    func expire(_ operation: Operation, in turn: inout Turn) throws -> Result<Operation, OperationRefusal> {
        if let refusal = operation.refusalToChange(.stateForbidsChange, at: turn.now) {
            return .failure(refusal)
        }
        var operation = operation
        operation.state = .expired
        try store(operation, in: &turn)
        return .success(operation)
    }

    private func countFailure(
        _ operation: inout Operation, _ facts: [String: JSONValue], _ reason: String, in turn: inout Turn
    ) throws -> OperationResult {
        operation.failures = min(operation.failures + 1, operation.maxFailures)
        operation.merge(facts)
        let isOver = operation.failures >= operation.maxFailures
        if isOver {
            operation.state = .failed
            operation.finalizedAt = turn.now
        }
        try store(operation, in: &turn)
        return OperationResult(
            word: isOver ? .operationFailed : .approvalFailed, operation: operation,
            explanation: "The operation \(operation.id) was not approved: \(reason); "
                + "\(operation.maxFailures - operation.failures) of its attempts are left.")
    }

    private func store(_ operation: Operation, in turn: inout Turn) throws {
        try turn.db.update(operation)
        turn.news.append(.operation(operation))
    }

    private func knows(_ application: String, in db: Connection) throws -> Bool {
        try Application.find(application, in: db) != nil
    }
}

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
