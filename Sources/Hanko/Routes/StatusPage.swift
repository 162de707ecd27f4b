import HTTP

extension Hanko {
    /// `GET /`: a page that says the server is up.
    ///
    /// - Request: nothing.
    /// - Response: `200`, HTML.
    /// - Errors: none.
    /// - Source: Hanko 2.7, public API.
    func statusPage(_ request: Request) throws -> Response {
        let emulated =
            switch try configuration().generation {
            case .classic: "2.7, classic profile"
            case .current: "3.x, profile current"
            }
        return .html(
            """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><title>Hanko</title></head>
            <body>
            <h1>Hanko is up</h1>
            <p>An emulation of the public API \(emulated). For development only.</p>
            </body>
            </html>

            """)
    }
}
