import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `POST /v2/token/verify`: checks the MAC token header that an app sent to the caller.
    ///
    /// - Request: `{"authHeader"}`.
    /// - Response: `200` with `tokenValid`, `userId`, `registrationId`, `registrationStatus`, `signatureType`, `flags`,
    ///   `application`; of a token that is not there, or of an
    ///   application that is not assigned to the caller, `tokenValid` alone; nothing is remembered of it then.
    /// - Errors: `ERROR_TOKEN_INVALID` for a header that cannot be read, is out of its time, or was verified before.
    /// - Source: “Implement Login in Mobile Apps”; published behaviour of the PowerAuth Server.
    func verifyToken(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let input = try Members(request)
        let text = try input.text("authHeader", 1...8192)
        try input.check()
        let header: TokenHeader
        do {
            header = try TokenHeader(text)
        } catch let refusal as HeaderRefusal {
            throw CloudRefusal(.tokenInvalid, "The token header is not valid.", refusal.explanation)
        }
        let outcome = try change { turn in
            do {
                let outcome = try authentication.verify(header, within: user.applications, in: turn)
                try turn.audit(outcome, "token")
                return outcome
            } catch let refusal as TokenRefusal {
                throw CloudRefusal(.tokenInvalid, "The token header is not valid.", refusal.explanation)
            }
        }
        explain(outcome, "token refused")
        return .flat(members(of: outcome))
    }

    private func members(of outcome: AuthenticationOutcome) -> [String: JSONValue] {
        guard let activation = outcome.activation else { return ["tokenValid": false] }
        var members = Verification(outcome, before: activation).identity
        members["tokenValid"] = .boolean(outcome.isValid)
        members["registrationId"] = .string(activation.id)
        members["registrationStatus"] = .string(activation.state.rawValue)
        members["blockedReason"] = activation.blockedReason.map(JSONValue.string)
        members["signatureType"] = outcome.type.map { .string($0.rawValue) }
        return members
    }
}
