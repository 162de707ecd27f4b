import HTTP
import PlatformKit

extension MIRACL {
    /// `POST /rps/v2/authenticate`: what the proof was, and what it brings. Wrong PINs are counted here.
    ///
    /// - Request: `{"authOTT", "authzRequest"?: bool, "wam"?: "dvs"}`, or all of it inside of `mpinResponse`.
    /// - Response: `200 {"status": 200, "message": "OK"}` with, by the scope of the first pass, `code`; `otp`, `nowTime`, `expireTime`,
    ///   `ttlSeconds`; `jwt`; `dvsRegister`; or with `renewSecret`.
    /// - Errors: in this order: `408` for an `authOTT` that is not good; `410 REVOKED_MPINID`; `409` for secrets of master shares that
    ///   the project does not have; `412 INVALID_AUTH_SESSION` at a login (scope `oidc`, `authcode` or none) for a `WID` without a live
    ///   session; `409 CLIENT_SECRET_EXPIRED` for a client without a scope that has to be renewed; `401 UNSUCCESSFUL_AUTHENTICATION` for a wrong PIN,
    ///   `410` for the last one; `403` for a user who may not use the application.
    /// - Source: Milagro MFA SDK core and server; client-js 4 to 8; trust-sdk-android.
    func authenticate(_ request: Request) throws -> Response {
        let body = try Members(request)
        let input = try body.optionalMembers("mpinResponse") ?? body
        let authOTT = try input.text("authOTT")
        var wish = ProofRequest(request: request)
        wish.wantsCode = try input.flag("authzRequest") || body.flag("authzRequest")
        wish.wantsJWT = try (input.optionalText("wam") ?? body.optionalText("wam")) == "dvs"
        let success = try proofs.settle(authOTT, wish)
        return .answer(try proofs.answer(to: success, wish))
    }
}
