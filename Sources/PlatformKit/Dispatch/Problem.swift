package import HTTP

/// Errors of the house itself, those that belong to no platform. Source: RFC 9457.
package struct Problem: Encodable, Sendable {
    package let type = "about:blank"
    package let title: String
    package let status: Int
    /// A sentence for the developer.
    package let detail: String

    enum CodingKeys: String, CodingKey { case type, title, status, detail }
}

extension Response {
    package static func problem(status: Status, detail: String) -> Response {
        let problem = Problem(title: status.reason, status: status.code, detail: detail)
        guard var response = try? Response.json(problem, status: status) else {
            // Only text and numbers are encoded: this cannot fail, and if it did a bare status says enough.
            return Response(status: status)
        }
        response.headers["Content-Type"] = "application/problem+json"
        return response
    }

    /// The same answer in another shape, such as a page: `Retry-After`, `Allow` and the like stay, and what the log is told.
    package func withFields(of problem: Response) -> Response {
        var response = self
        for field in problem.headers.fields where response.headers[field.name] == nil {
            response.headers.add(field.name, field.value)
        }
        response.explanation = problem.explanation
        return response
    }

    static func problem(_ refused: HostRefused) -> Response {
        switch refused {
        case .foreign, .nameless: problem(status: .misdirectedRequest, detail: refused.explanation)
        case .malformed: problem(status: .badRequest, detail: refused.explanation)
        }
    }
}
