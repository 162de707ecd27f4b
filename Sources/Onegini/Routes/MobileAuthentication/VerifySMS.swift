import Essentials
import HTTP
import PlatformKit

extension Onegini {
    /// `POST /api/v4/authenticate/user/{user_id}/sms`: the code that the user typed at the portal; v3 and v2 alike.
    ///
    /// - Request: form `transaction_id`, `sms_code`; API client with the scope `onegini_api_mobile_authentication`.
    /// - Response: `200 {"transaction_id"}`.
    /// - Errors: 1000, 4001 (v3, v2), 3000, 1003, 3004 (also when it is over), 3005, 3003; with the last wrong code allowed the
    ///   transaction fails. 401 and 403 of the client.
    /// - Source: mobile authentication API v4, “SMS”.
    func verifySMS(_ request: Request) throws -> Response { try verify(request, .v4) }

    func verifySMSV3(_ request: Request) throws -> Response { try verify(request, .v3) }

    func verifySMSV2(_ request: Request) throws -> Response { try verify(request, .v2) }

    func verifySMSV1(_ request: Request) throws -> Response { try verify(request, .v1) }

    private func verify(_ request: Request, _ version: PortalVersion) throws -> Response {
        try portal.answer(request, version) { transactions, _ in
            try transactions.requireSMS()
            let id = try request.portalParameter("transaction_id")
            let code = try request.portalParameter("sms_code")
            try transactions.verifySMS(code, of: id, by: request.parameter("user"), request)
            return .portal(["transaction_id": .string(id)])
        }
    }
}

extension Request {
    /// - Throws: ``PortalFault/parameterInvalid(_:)`` when the form lacks it.
    func portalParameter(_ name: String) throws -> String {
        guard let value = form[name], !value.isEmpty else {
            throw PortalFault.parameterInvalid("The form lacks the parameter \(name).")
        }
        return value
    }
}
