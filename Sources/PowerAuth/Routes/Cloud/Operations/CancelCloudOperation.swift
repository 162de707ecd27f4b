import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `DELETE /v2/operations/{operationId}?statusReason=…`: the back end does not need the approval any more.
    ///
    /// - Request: query `statusReason`, a word of at most 32 characters that the device finds in its history.
    /// - Response: `200 {"status":"OK"}`.
    /// - Errors: `ERROR_OPERATION_NOT_FOUND`, `ERROR_OPERATION_STATE_CHANGE` unless it is PENDING, `ERROR_REQUEST`.
    /// - Source: PowerAuth Cloud documentation, operations.
    func cancelCloudOperation(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let reason = Form(request.query ?? "")["statusReason"].flatMap { $0.isEmpty ? nil : $0 }
        guard (reason?.count ?? 0) <= 32 else {
            throw CloudRefusal(.request, "The statusReason has more than 32 characters.")
        }
        try change { turn in
            let operation = try requireOperation(request.parameter("operation"), of: user, in: turn.db)
            do {
                _ = try operations.cancel(operation.id, reason: reason, in: turn)
            } catch let refusal as OperationRefusal {
                throw CloudRefusal(refusal)
            }
        }
        return .cloudOK
    }
}
