import Essentials
import HTTP
import PlatformKit

extension NextAuth {
    /// `POST /device/v1/flows`: begins an enrolment, a login, an AppLogin or a signature.
    ///
    /// - Request: `{"type": "ENROL"|"LOGIN"|"APPLOGIN"|"TRANSACTION", "data"? | "messageid"?, "serverid"?, "config"?}`.
    /// - Response: `200`, the flow object.
    /// - Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `ACCOUNT_BLOCKED`, `NO_ACCOUNTS_FOR_SERVER`, `SERVER_NOT_FOUND`,
    ///   `MESSAGE_NOT_FOUND`, `WRONG_STATE` for a decided transaction, `MULTIPLE_ACCOUNTS`, `CONTINUOUS_AUTH_REQUIRED`,
    ///   `CODE_USED`, `SECOND_FACTOR_BLOCKED`.
    /// - Source: ours; what an AppLogin asks follows the vendor's quick start “AppLogin”.
    func startFlow(_ request: Request) throws -> Response {
        let answer = try change(for: request) { instance, turn in
            let flow = try flows.start(request.json(FlowRequest.self), for: instance, in: turn)
            return try flows.view(of: flow, instance, request, in: turn.db)
        }
        return try .json(answer)
    }
}
