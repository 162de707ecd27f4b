import HTTP
import JOSE
import PlatformKit

extension Hanko {
    /// `GET /.well-known/jwks.json`: the keys that session tokens are signed with, the newest first.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"keys":[{"alg":"RS256","e":"AQAB","kid":"…","kty":"RSA","n":"…","use":"sig"}]}`, good for 600 s.
    /// - Errors: none.
    /// - Source: Hanko 2.7, public API; RFC 7517.
    func keySet(_ request: Request) throws -> Response {
        try services.memo.value("hanko.jwks") {
            var response = try Response.hanko(JWKS(publishedKeys()))
            response.headers["Cache-Control"] = "max-age=600"
            return response
        }
    }
}
