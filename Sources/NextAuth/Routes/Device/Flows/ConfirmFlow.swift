import HTTP
import PlatformKit

extension NextAuth {
    /// `POST /device/v1/flows/{id}/confirm`: the user agrees, with a key that signs so.
    ///
    /// - Request: LOGIN `{"accountid", "userinput"?, "signature"}`; ENROL `{"publickey", "description", "headless"?,
    ///   "userinput"?, "signature"}`; TRANSACTION `{"approve", "signature"}`.
    /// - Response: `200`, the flow object: `DONE`, or with the second factor as its next interaction.
    /// - Errors: `BAD_REQUEST`, `UNAUTHORIZED`, `BAD_SIGNATURE`, `ACCOUNT_BLOCKED`, `ACCOUNT_NOT_FOUND`, `FLOW_NOT_FOUND`,
    ///   `WRONG_STATE`, `CODE_USED`, `SECOND_FACTOR_BLOCKED`.
    /// - Source: ours.
    func confirmFlow(_ request: Request) throws -> Response {
        try step(request) { flow, instance, turn in
            try flows.confirm(flow, by: request, instance, in: turn)
        }
    }
}
