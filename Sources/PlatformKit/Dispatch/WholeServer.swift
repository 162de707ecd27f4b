import HTTP

extension Request {
    /// `OPTIONS *` is about the server and no resource of it. Source: RFC 9110 §9.3.7.
    var asksForWholeServer: Bool { method == .options && path == "/*" }
}

extension Response {
    /// Every method that some path answers.
    static var wholeServer: Response {
        Response(status: .noContent, headers: ["Allow": "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"])
    }
}
