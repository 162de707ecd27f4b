import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `GET /v2/operations/{operationId}`, also below `/v2/operation/`: what became of an operation.
    ///
    /// One whose time is up is told as EXPIRED, whatever is stored; callbacks hear of it once.
    ///
    /// - Request: nothing.
    /// - Response: `200` with the operation; `proximityOtp` is that of this moment.
    /// - Errors: `ERROR_OPERATION_NOT_FOUND`.
    /// - Source: PowerAuth Cloud documentation, operations; “Implement Login in Mobile Apps”.
    func showCloudOperation(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let now = services.clock.now()
        let operation = try database.read { db in
            try requireOperation(request.parameter("operation"), of: user, in: db)
        }
        try settleExpiry(of: [operation], at: now)
        return .flat(try operation.cloudMembers(at: now, withOTP: true))
    }

    /// The operation, when the user may see it.
    ///
    /// - Throws: `ERROR_OPERATION_NOT_FOUND`, also for one of applications that are not assigned to the user.
    func requireOperation(_ id: String, of user: SystemUser, in db: Connection) throws -> Operation {
        guard let operation = try Operation.find(id, in: db) else { throw CloudRefusal.operationUnknown(id) }
        guard operation.applications.contains(where: user.applications.contains) else {
            throw CloudRefusal.operationUnknown(
                id,
                "The operation \(id) belongs to \(operation.applications.joined(separator: ", ")), none of which is assigned to the "
                    + "system user “\(user.name)”.")
        }
        return operation
    }
}
