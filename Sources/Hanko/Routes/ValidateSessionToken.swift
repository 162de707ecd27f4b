import HTTP
import PlatformKit

extension Hanko {
    private struct TokenInput: Decodable {
        let token: String?

        enum CodingKeys: String, CodingKey {
            case token = "session_token"
        }
    }

    /// `POST /sessions/validate`: whether a session token is good, for back ends. This counts as use of the session.
    ///
    /// - Request: `{"session_token": "<jwt>"}`.
    /// - Response: `200`, the ``SessionValidity``, whatever is wrong with the token.
    /// - Errors: 400 when there is none.
    /// - Source: Hanko 2.7, public API.
    func validateSessionToken(_ request: Request) throws -> Response {
        guard let token = try request.input(TokenInput.self).token, !token.isEmpty else {
            throw HankoError.invalid(
                [Violation(field: "session_token", rule: .required, value: "")], isWrapped: true)
        }
        switch try acceptedSession(token, touching: true) {
        case .success(let accepted): return try .hanko(validity(of: accepted))
        case .failure(let fault):
            noteInvalid([fault])
            return try .hanko(SessionValidity.invalid)
        }
    }
}
