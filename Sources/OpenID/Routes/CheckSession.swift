import HTTP

extension AuthorizationServer {
    /// `GET /checksession`: the page that clients put in a frame and ask whether the session is still the same.
    ///
    /// - Request: nothing; the script takes messages `client_id session_state`.
    /// - Response: `200`, HTML; the script answers `unchanged`, `changed` or `error`.
    /// - Errors: none.
    /// - Source: OpenID Connect Session Management 1.0 §3.2.
    func checkSession(_ request: Request) -> Response {
        let script = CheckSessionPage.script(cookie: cookies(request).state)
        var response = Response.html(CheckSessionPage.text(script))
        response.headers["Cache-Control"] = "no-store"
        response.headers["Referrer-Policy"] = "no-referrer"
        // No frame-ancestors: to stand in a frame of any client is its purpose.
        response.headers["Content-Security-Policy"] =
            "default-src 'none'; script-src '\(Page.digest(of: script))'; base-uri 'none'"
        return response
    }
}
