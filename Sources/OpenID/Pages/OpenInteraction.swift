import HTTP

/// A conversation as a request continues it.
struct OpenInteraction: Sendable {
    let interaction: Interaction
    let handle: String
    /// The browser's cookie, also when it is only about to be set.
    let browser: String
    /// `Set-Cookie` for a browser that had none.
    let newCookie: String?
    let token: String

    /// Hidden fields of every form.
    var fields: HTML {
        """
        <input type="hidden" name="interaction" value="\(handle)">
        <input type="hidden" name="csrf" value="\(token)">
        """
    }

    func response(_ page: Page) -> Response { adding(page.response) }

    func adding(_ response: Response) -> Response {
        var response = response
        if let newCookie { response.headers.add("Set-Cookie", newCookie) }
        return response
    }
}
