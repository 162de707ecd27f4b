import HTTP
import JOSE
import PlatformKit

extension Hanko {
    /// `GET /health/alive`: whether the process runs.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"alive":true}`.
    /// - Errors: none.
    /// - Source: Hanko 2.7, public API.
    func healthAlive(_ request: Request) throws -> Response { try .hanko(["alive": true]) }

    /// `GET /health/ready`: whether it can serve.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"ready":true}`.
    /// - Errors: none.
    /// - Source: Hanko 2.7, public API.
    func healthReady(_ request: Request) throws -> Response { try .hanko(["ready": true]) }
}

extension Hanko {
    /// `GET /.well-known/jwks.json`: the keys that session tokens are signed with, the newest first.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"keys":[{"alg":"RS256","e":"AQAB","kid":"…","kty":"RSA","n":"…","use":"sig"}]}`, good for 600 s.
    /// - Errors: none.
    /// - Source: Hanko 2.7, public API; RFC 7517.
    func keySet(_ request: Request) throws -> Response {
        try services.memo.value("hanko.jwks") {
            var response = try Response.hanko(JWKS(tokens.published()))
            response.headers["Cache-Control"] = "max-age=600"
            return response
        }
    }
}

extension Hanko {
    /// `GET /`: a page that says the server is up.
    ///
    /// - Request: nothing.
    /// - Response: `200`, HTML; for a browser with the links of every platform's base address.
    /// - Errors: none.
    /// - Source: Hanko 2.7, public API.
    func statusPage(_ request: Request) throws -> Response {
        let emulated =
            switch try generation() {
            case .classic: "2.7, classic profile"
            case .current: "3.x, profile current"
            case .next: "after 3.x, profile next"
            }
        let lead: HTML = "<p>Hanko is up: the public API \(emulated).</p>"
        if let page = FrontPage<Hanko>(request, lead: lead) { return page.response }
        return .html(
            """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Hanko</title></head>
            <body>
            <h1>Hanko is up</h1>
            <p>Understudy's emulation of the public API \(emulated). For development only.</p>
            </body>
            </html>

            """)
    }
}
