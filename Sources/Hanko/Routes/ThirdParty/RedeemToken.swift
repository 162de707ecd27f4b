import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    private struct TokenOutput: Encodable {
        let userID: String

        enum CodingKeys: String, CodingKey {
            case userID = "user_id"
        }
    }

    /// `POST /token`: trades the token of a third-party sign-in for a session.
    ///
    /// - Request: `{"value": "…"}`, the `hanko_token` of the redirect.
    /// - Response: `200 {"user_id": uuid}` and the session; `X-RateLimit-…`.
    /// - Errors: 429, checked first; 400; 404 when there is no such token; 422 after its minute.
    /// - Source: Hanko 2.7, classic API.
    func redeemToken(_ request: Request) throws -> Response {
        let configuration = try configuration()
        let announcer = try announcer(request)
        let redeemed = try world.change { turn in
            do {
                let redeemed = try redeem(request, configuration, in: turn)
                try announcer.audit(.tokenExchangeSucceeded, userID: redeemed.token.userID, in: turn)
                return redeemed
            } catch let refusal as HankoRefusal where !refusal.isRateLimit {
                throw turn.kept(refusal) {
                    try announcer.audit(.tokenExchangeFailed, error: refusal.message, in: $0)
                }
            }
        }
        var response = try Response.hanko(TokenOutput(userID: redeemed.token.userID))
        for (name, value) in redeemed.standing?.headers ?? [] { response.headers.add(name, value) }
        try hand(redeemed.session, to: &response, configuration)
        return response
    }

    private struct RedeemedToken {
        let token: ThirdPartyToken
        let session: OpenedSession
        /// Nil where limits are off.
        let standing: RateLimit?
    }

    private func redeem(
        _ request: Request, _ configuration: Configuration, in turn: Turn
    ) throws -> RedeemedToken {
        let limit = configuration.rateLimiter.tokenRule.map {
            CallLimit(
                rule: $0, key: "/token/00000000-0000-0000-0000-000000000000/\(request.peer.address)",
                calls: "/token from \(request.peer.address)")
        }
        let opening = newSession(request, configuration)
        return try turn.limited(by: limit) { standing in
            var check = Validation()
            let value = check.required("value", try request.members().optionalText("value"))
            try check.finish()
            let token = try turn.first(ThirdPartyToken.self, where: "value = \(value)")
            guard let token, !token.isFlow else {
                throw HankoRefusal.tokenUnknown(value, isFlow: token != nil)
            }
            let secondsOver = turn.now.timeIntervalSince(token.expiresAt)
            if secondsOver >= 0 { throw HankoRefusal.tokenExpired(seconds: Int(saturating: secondsOver)) }
            try turn.delete(token)
            return RedeemedToken(
                token: token, session: try turn.open(opening, for: token.userID), standing: standing)
        }
    }
}
