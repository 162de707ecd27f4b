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
    static let operationMigrations: [SQL] = []

    func createOperation(_ new: NewOperation, in turn: inout Turn) throws -> Operation {
        throw NotBuilt("create")
    }

    /// As stored; the caller asks ``Operation/state(at:)``.
    func operation(_ id: String, in db: Connection) throws -> Operation? { throw NotBuilt("operation") }

    /// Gives an operation of nobody to the user.
    func claim(_ id: String, for user: String, in turn: inout Turn) throws -> Result<
        Operation, OperationRefusal
    > {
        throw NotBuilt("claim")
    }

    /// The result says whether it was approved; a failed attempt is counted and returned, not thrown.
    func approve(
        _ id: String, _ decision: OperationDecision, in turn: inout Turn
    ) throws -> Result<OperationResult, OperationRefusal> {
        throw NotBuilt("approve")
    }

    /// Counts an attempt whose authentication failed.
    func failApproval(
        _ id: String, additionalData: [String: JSONValue], in turn: inout Turn
    ) throws -> Result<OperationResult, OperationRefusal> {
        throw NotBuilt("failApproval")
    }

    func reject(
        _ id: String, _ decision: OperationDecision, in turn: inout Turn
    ) throws -> Result<OperationResult, OperationRefusal> {
        throw NotBuilt("reject")
    }

    func cancel(
        _ id: String, reason: String?, additionalData: [String: JSONValue], in turn: inout Turn
    ) throws -> Result<Operation, OperationRefusal> {
        throw NotBuilt("cancel")
    }

    /// Stores EXPIRED for at most 100 pending operations whose time is up, with news.
    func expireOverdueOperations(in turn: inout Turn) throws {}
}
