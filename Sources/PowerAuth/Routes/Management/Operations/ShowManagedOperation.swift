import Essentials
import HTTP
import PlatformKit

/// Source of all: published behaviour of the PowerAuth Server.
extension PowerAuth {
    /// `POST /rest/v3/operation/detail`: one operation. With a user it is claimed for that one, as older servers do.
    ///
    /// - Request: `{"operationId", "userId"?}`.
    /// - Response: the operation.
    /// - Errors: `ERR0024`, `ERR0034`.
    func showManagedOperation(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("operationId")
        let user = try input.optionalText("userId", 1...255)
        try input.check()
        return try manage { turn in
            guard let operation = try Operation.find(id, in: turn.db) else {
                throw OperationRefusal.unknown(id)
            }
            let shown = try user.map { try operations.claim(id, for: $0, in: turn) } ?? operation
            return .management(try shown.managedMembers(at: turn.now, withOTP: true))
        }
    }

    /// `POST /rest/v3/operation/claim`: gives an operation of nobody to a user.
    ///
    /// - Request: `{"operationId", "userId"}`.
    /// - Response: the operation.
    /// - Errors: `ERR0024`, `ERR0034`, also for one of another user.
    func claimManagedOperation(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let (id, user) = (try input.text("operationId"), try input.text("userId"))
        try input.check()
        return try manage { turn in
            .management(
                try operations.claim(id, for: user, in: turn).managedMembers(at: turn.now, withOTP: true))
        }
    }
}
