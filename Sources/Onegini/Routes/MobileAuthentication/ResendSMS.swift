import HTTP
import PlatformKit

extension Onegini {
    /// `POST /api/v4/authenticate/user/{user_id}/sms/resend`: sends the same code again; v3 and v2 alike.
    ///
    /// - Request: form `transaction_id`; API client with the scope `onegini_api_mobile_authentication`.
    /// - Response: `204`.
    /// - Errors: 1000, 4001 (v3, v2), 3000, 1003, 3004 (also when it is over), 3005, 3006; 401 and 403 of the client.
    /// - Source: mobile authentication API v4, “SMS”.
    func resendSMS(_ request: Request) throws -> Response { try resend(request, .v4) }

    func resendSMSV3(_ request: Request) throws -> Response { try resend(request, .v3) }

    func resendSMSV2(_ request: Request) throws -> Response { try resend(request, .v2) }

    func resendSMSV1(_ request: Request) throws -> Response { try resend(request, .v1) }

    private func resend(_ request: Request, _ version: PortalVersion) throws -> Response {
        try portal.answer(request, version) { transactions, _ in
            try transactions.requireSMS()
            let id = try request.portalParameter("transaction_id")
            try transactions.resendSMS(of: id, to: request.parameter("user"))
            return .portalDone
        }
    }
}
