import Essentials
import HTTP
import PlatformKit

/// Decisions about operations, by a caller who authenticated the user itself. Source of all: published behaviour of the PowerAuth
/// Server.
extension PowerAuth {
    /// `POST /rest/v3/operation/approve`: a failed attempt is a result, not an error, and is counted.
    ///
    /// - Request: `{"operationId", "userId", "applicationId", "data", "signatureType", "additionalData"?}`; `additionalData` brings
    ///   `activationId` and `proximity_otp` where they are asked for.
    /// - Response: `result`, one of `APPROVED`, `APPROVAL_FAILED`, `OPERATION_FAILED`; `operation`.
    /// - Errors: `ERR0015`, `ERR0024`, `ERR0037`.
    func approveManagedOperation(_ request: Request) throws -> Response {
        try decide(request, needsData: true) { id, decision, turn in
            try operations.approve(id, decision, in: turn)
        }
    }

    /// `POST /rest/v3/operation/reject`.
    ///
    /// - Request: `{"operationId", "userId", "applicationId", "additionalData"?}`.
    /// - Response: `result`, `REJECTED` or `REJECT_FAILED`; `operation`.
    /// - Errors: `ERR0015`, `ERR0024`, `ERR0038`.
    func rejectManagedOperation(_ request: Request) throws -> Response {
        try decide(request, needsData: false) { id, decision, turn in
            try operations.reject(id, decision, in: turn)
        }
    }

    /// `POST /rest/v3/operation/approve/fail`: counts an attempt whose authentication failed.
    ///
    /// - Request: `{"operationId", "additionalData"?}`.
    /// - Response: `result`, `APPROVAL_FAILED` or `OPERATION_FAILED`; `operation`.
    /// - Errors: `ERR0024`, `ERR0034`, `ERR0036`.
    func failManagedApproval(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("operationId")
        let facts = try input.optionalObject("additionalData") ?? [:]
        try input.check()
        return try manage { turn in
            .management(
                try operations.failApproval(id, additionalData: facts, in: turn)
                    .managedMembers(at: turn.now))
        }
    }

    /// `POST /rest/v3/operation/cancel`: nobody needs the approval any more.
    ///
    /// - Request: `{"operationId", "statusReason"?, "additionalData"?}`; the reason of at most 32 characters.
    /// - Response: the operation.
    /// - Errors: `ERR0024`, `ERR0034`, `ERR0036`.
    func cancelManagedOperation(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("operationId")
        let reason = try input.optionalText("statusReason", 0...32)
        let facts = try input.optionalObject("additionalData") ?? [:]
        try input.check()
        return try manage { turn in
            let operation = try operations.cancel(id, reason: reason, additionalData: facts, in: turn)
            return .management(try operation.managedMembers(at: turn.now, withOTP: false))
        }
    }

    private func decide(
        _ request: Request, needsData: Bool,
        _ apply: (String, OperationDecision, Turn) throws -> OperationResult
    ) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("operationId")
        let facts = try input.optionalObject("additionalData") ?? [:]
        let type = try input.text("signatureType", (needsData ? 1 : 0)...64, isNeeded: needsData)
        let decision = OperationDecision(
            user: try input.text("userId"), application: try input.text("applicationId"),
            activation: facts[Operation.AdditionalMember.activation]?.string,
            data: try input.text("data", 1...65_536, isNeeded: needsData),
            type: SignatureType(type) ?? .possession,
            proximityOTP: facts[Operation.AdditionalMember.proximityOTP]?.string, additionalData: facts)
        if needsData, SignatureType(type) == nil {
            try input.refuse("signatureType", "a combination of factors")
        }
        try input.check()
        return try manage { turn in
            let result = try apply(id, decision, turn)
            if let explanation = result.explanation {
                note("operation not decided", about: decision.user, explanation)
            }
            return .management(try result.managedMembers(at: turn.now))
        }
    }
}

extension Members {
    /// A text that may be left out unless it is needed.
    fileprivate func text(
        _ name: String, _ lengths: ClosedRange<Int>, isNeeded: Bool
    ) throws -> String {
        try isNeeded ? text(name, lengths) : optionalText(name, lengths) ?? ""
    }
}
