import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    private struct TokenInput: Decodable {
        let value: String?
    }

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
        let standing = try takeTokenLimit(request, configuration)
        let redeemed: RedeemedToken
        do {
            let input = try request.input(TokenInput.self)
            var check = Validation()
            let value = check.required("value", input.value)
            try check.finish()
            redeemed = try redeem(value, opening: newSession(request, configuration))
        } catch let refusal as HankoError {
            try audit(.tokenExchangeFailed, request, error: refusal.wire.message)
            throw standing.map { HankoError.limited($0, refusal) } ?? refusal
        }
        try audit(.tokenExchangeSucceeded, request, userID: redeemed.token.userID)
        var response = try Response.hanko(TokenOutput(userID: redeemed.token.userID))
        for (name, value) in standing?.headers ?? [] { response.headers.add(name, value) }
        try hand(redeemed.session, to: &response, configuration)
        return response
    }

    private struct RedeemedToken {
        let token: ThirdPartyToken
        let session: OpenedSession
    }

    /// Nil where limits are off.
    private func takeTokenLimit(_ request: Request, _ configuration: Configuration) throws -> RateLimit? {
        guard let rule = configuration.limits?.token else { return nil }
        let key = "/token/00000000-0000-0000-0000-000000000000/\(request.peer.address)"
        let standing = try database.write { db in
            try RateLimitStore.take(key, under: rule, at: services.clock.now(), in: db)
        }
        guard standing.isGranted else {
            throw HankoError.rateLimited(standing, calls: "/token from \(request.peer.address)")
        }
        return standing
    }

    private func redeem(_ value: String, opening: NewSession) throws -> RedeemedToken {
        let now = services.clock.now()
        return try database.write { db in
            guard let token = try ThirdPartyStore.token(value, in: db), !token.isFlow else {
                throw HankoError.tokenUnknown(value, isFlow: try ThirdPartyStore.token(value, in: db) != nil)
            }
            let secondsOver = now.timeIntervalSince(token.expiresAt)
            if secondsOver >= 0 { throw HankoError.tokenExpired(seconds: Int(secondsOver)) }
            try ThirdPartyStore.delete(value, in: db)
            return RedeemedToken(
                token: token, session: try SessionStore.open(opening, for: token.userID, in: db))
        }
    }
}
