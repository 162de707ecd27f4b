import Essentials
import PlatformKit
import SQLite

/// The life of an operation: every change of state goes through here and is told.
struct Operations: Sendable {
    let world: World

    init(_ world: World) { self.world = world }

    private var announcements: Announcements { Announcements(world) }

    /// Makes an operation of a template: state PENDING, data with the parameters put in.
    ///
    /// - Throws: ``OperationRefusal``, as all that follow.
    func create(_ new: NewOperation, in turn: Turn) throws -> Operation {
        let operation = try new.operation(
            of: world.templates(in: turn.db), services: world.services, in: turn)
        try turn.insert(operation)
        try announcements.tell(ofNew: operation, isSilent: new.isSilent, in: turn)
        return operation
    }

    /// Gives an operation of nobody to the user. One that is over is returned as it is.
    ///
    /// The published server calls nobody back for it.
    func claim(_ id: String, for user: String, in turn: Turn) throws -> Operation {
        var operation = try find(id, in: turn)
        guard operation.state(at: turn.now) == .pending, operation.user != user else { return operation }
        guard operation.user == nil else { throw OperationRefusal.ofAnotherUser(id) }
        operation.user = user
        try turn.update(operation, .user)
        return operation
    }

    /// The result says whether it was approved; a failed attempt is counted and returned, not thrown.
    ///
    /// - Parameter known: the operation, as the turn has read it already.
    func approve(
        _ id: String, _ decision: OperationDecision, knowing known: Operation? = nil, in turn: Turn
    ) throws -> OperationResult {
        let found = try known ?? Operation.find(id, in: turn.db)
        let check = ApprovalCheck(
            id: id, decision: decision, isApplicationKnown: try knows(decision.application, in: turn.db),
            stepsBack: try world.settings(in: turn.db).proximityStepsBack, now: turn.now)
        switch try check.outcome(for: found) {
        case .failed(let operation, let reason):
            return try countFailure(operation, decision.additionalData, reason, in: turn)
        case .approved(var operation):
            operation.decide(.approved, by: decision, at: turn.now)
            try store(operation, in: turn)
            return OperationResult(word: .approved, operation: operation, explanation: nil)
        }
    }

    /// Counts an attempt whose authentication failed.
    func failApproval(
        _ id: String, additionalData: [String: JSONValue], in turn: Turn
    ) throws -> OperationResult {
        let operation = try find(id, in: turn)
        try operation.requirePending(or: .stateForbidsChange, at: turn.now)
        return try countFailure(operation, additionalData, "its authentication failed", in: turn)
    }

    func reject(_ id: String, _ decision: OperationDecision, in turn: Turn) throws -> OperationResult {
        var operation = try find(id, or: .cannotBeRejected, in: turn)
        guard try knows(decision.application, in: turn.db) else {
            throw OperationRefusal.applicationUnknown(decision.application)
        }
        try operation.requirePending(or: .cannotBeRejected, at: turn.now)
        guard operation.user == nil || operation.user == decision.user,
            operation.applications.contains(decision.application)
        else {
            return OperationResult(
                word: .rejectFailed, operation: operation,
                explanation: "The operation \(id) belongs to another user or to other applications.")
        }
        operation.decide(.rejected, by: decision, at: turn.now)
        try store(operation, in: turn)
        return OperationResult(word: .rejected, operation: operation, explanation: nil)
    }

    func cancel(
        _ id: String, reason: String?, additionalData: [String: JSONValue] = [:], in turn: Turn
    ) throws -> Operation {
        var operation = try find(id, in: turn)
        try operation.requirePending(or: .stateForbidsChange, at: turn.now)
        operation.state = .canceled
        operation.stateReason = reason
        operation.merge(additionalData)
        try store(operation, in: turn)
        return operation
    }

    /// Ends an operation before its time.
    func expire(_ operation: Operation, in turn: Turn) throws {
        try operation.requirePending(or: .stateForbidsChange, at: turn.now)
        var operation = operation
        operation.state = .expired
        try store(operation, in: turn)
    }

    /// Stores EXPIRED for at most 100 pending operations whose time is up.
    ///
    /// - Returns: whether there was any.
    @discardableResult
    func expireOverdue(in turn: Turn) throws -> Bool {
        let overdue = try turn.all(
            Operation.self, where: "state = 'PENDING' AND expires_at <= \(turn.now)", order: "expires_at",
            limit: 100)
        for var operation in overdue {
            operation.state = .expired
            try store(operation, in: turn)
        }
        return !overdue.isEmpty
    }

    /// What a caller says to whom a result is not what was wanted. An attempt that was counted stays so.
    func refusal<R: Refusal>(_ refusal: R, of result: OperationResult, in turn: Turn) -> R {
        guard result.word.isCounted else { return refusal }
        return turn.kept(refusal) { try store(result.operation, in: $0) }
    }

    private func find(
        _ id: String, or code: OperationRefusal.Code = .operationUnknown, in turn: Turn
    ) throws -> Operation {
        if let operation = try Operation.find(id, in: turn.db) { return operation }
        throw OperationRefusal.unknown(id, code)
    }

    private func countFailure(
        _ found: Operation, _ facts: [String: JSONValue], _ reason: String, in turn: Turn
    ) throws -> OperationResult {
        var operation = found
        operation.failures = min(operation.failures.adding(1), operation.maxFailures)
        operation.merge(facts)
        let isOver = operation.failures >= operation.maxFailures
        if isOver {
            operation.state = .failed
            operation.finalizedAt = turn.now
        }
        try store(operation, in: turn)
        return OperationResult(
            word: isOver ? .operationFailed : .approvalFailed, operation: operation,
            explanation: "The operation \(operation.id) was not approved: \(reason); "
                + "\(operation.maxFailures - operation.failures) of its attempts are left.")
    }

    private func store(_ operation: Operation, in turn: Turn) throws {
        // The columns that anything here changes: the others are most of the row.
        try turn.update(
            operation, .state, .stateReason, .user, .failures, .finalizedAt, .additionalData)
        try announcements.tell(of: operation, in: turn)
    }

    private func knows(_ application: String, in db: Connection) throws -> Bool {
        try db.exists(Application.self, where: "id = \(application)")
    }
}

extension Operation {
    /// - Throws: ``OperationRefusal`` once nothing changes it any more.
    fileprivate func requirePending(or code: OperationRefusal.Code, at now: Date) throws {
        if let refusal = refusalToChange(code, at: now) { throw refusal }
    }

    fileprivate mutating func decide(_ state: State, by decision: OperationDecision, at now: Date) {
        self.state = state
        user = decision.user
        finalizedAt = now
        merge(decision.additionalData)
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

        /// Whether an attempt was counted.
        var isCounted: Bool { self == .approvalFailed || self == .operationFailed }
    }

    let word: Word
    let operation: Operation
    /// Which check failed, for the journal.
    let explanation: String?
}
