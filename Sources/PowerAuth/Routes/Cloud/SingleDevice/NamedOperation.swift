import Essentials
import HTTP
import PlatformKit
import SQLite

/// Operations of the API before version 2, which names them in the query. Source of all: PowerAuth Cloud documentation, “Single-Device
/// API Reference”, and the published demo portal; the paths for offline approval are *assumed*.
extension PowerAuth {
    /// `GET /operations?operationId=…`: what became of an operation.
    ///
    /// - Request: query `operationId`.
    /// - Response: `200` with the operation, as version 2 tells it.
    /// - Errors: `ERROR_OPERATION_NOT_FOUND`, `ERROR_REQUEST`.
    func showNamedOperation(_ request: Request) throws -> Response {
        // A list is asked for by the user, as in version 2.
        if request.queryItems["operationId"] == nil, request.queryItems["userId"] != nil {
            return try listCloudOperations(request)
        }
        return try showCloudOperation(named(request, try request.requireQuery("operationId")))
    }

    /// `DELETE /operations?operationId=…`: cancels it.
    ///
    /// - Request: query `operationId`, `statusReason`?.
    /// - Response: `200 {"status": "OK"}`.
    /// - Errors: `ERROR_OPERATION_NOT_FOUND`, `ERROR_OPERATION_STATE_CHANGE`, `ERROR_REQUEST`.
    func cancelNamedOperation(_ request: Request) throws -> Response {
        try cancelCloudOperation(named(request, try request.requireQuery("operationId")))
    }

    /// `GET /operations/offline/qr?operationId=…`: the operation for the device of its user, without a network.
    ///
    /// - Request: query `operationId`.
    /// - Response: `200 {"operationQrCodeData", "nonce"}`.
    /// - Errors: those of version 2.
    func showNamedOfflineQRCode(_ request: Request) throws -> Response {
        let id = try request.requireQuery("operationId")
        var asked = named(request, id)
        asked.query = Form.encode([(name: "registrationId", value: try device(of: id, request))])
        return try showOfflineQRCode(asked)
    }

    /// `POST /operations/offline/otp`: the code that the user typed over.
    ///
    /// - Request: `{"operationId", "otp", "nonce"}`.
    /// - Response: as version 2.
    /// - Errors: those of version 2.
    func verifyNamedOfflineOTP(_ request: Request) throws -> Response {
        _ = try requireBackOffice(request)
        let input = try Members(request)
        let id = try input.text("operationId")
        try input.check()
        var asked = named(request, id)
        let members = input.values.merging(["registrationId": .string(try device(of: id, request))]) { $1 }
        asked.body = JSONValue.object(members).bytes
        return try verifyOfflineOTP(asked)
    }

    private func named(_ request: Request, _ id: String) -> Request {
        var named = request
        named.parameters = [("operation", id)]
        return named
    }

    /// The registration of the operation's user.
    private func device(of id: String, _ request: Request) throws -> String {
        let user = try requireBackOffice(request)
        let operation = try database.read { try requireOperation(id, of: user, in: $0) }
        if let device = operation.activation { return device }
        guard let owner = operation.user else {
            throw CloudRefusal(
                .registrationUnknown, "The operation belongs to nobody.",
                "The operation \(id) has no user yet, so there is no device to approve it.")
        }
        return try requireOnlyRegistration(of: owner, for: user).id
    }
}
