/// A status code with its standard reason phrase.
package struct Status: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// Three digits, 100 to 599.
    package let code: Int

    package init(code: Int) { self.code = code }
    package init(integerLiteral code: Int) { self.code = code }

    package static let switchingProtocols: Status = 101
    package static let ok: Status = 200
    package static let created: Status = 201
    package static let accepted: Status = 202
    package static let noContent: Status = 204
    package static let found: Status = 302
    package static let seeOther: Status = 303
    package static let notModified: Status = 304
    package static let temporaryRedirect: Status = 307
    package static let badRequest: Status = 400
    package static let unauthorized: Status = 401
    package static let forbidden: Status = 403
    package static let notFound: Status = 404
    package static let methodNotAllowed: Status = 405
    package static let requestTimeout: Status = 408
    package static let conflict: Status = 409
    package static let gone: Status = 410
    package static let preconditionFailed: Status = 412
    package static let contentTooLarge: Status = 413
    package static let targetTooLong: Status = 414
    package static let unsupportedMediaType: Status = 415
    package static let misdirectedRequest: Status = 421
    package static let unprocessableContent: Status = 422
    package static let upgradeRequired: Status = 426
    package static let tooManyRequests: Status = 429
    package static let headersTooLarge: Status = 431
    package static let internalServerError: Status = 500
    package static let notImplemented: Status = 501
    package static let badGateway: Status = 502
    package static let serviceUnavailable: Status = 503
    package static let insufficientStorage: Status = 507
    package static let versionNotSupported: Status = 505

    /// The reason phrase of RFC 9110 §15, RFC 6585 and RFC 4918, or `Unknown` for a code that neither names.
    package var reason: String { Self.reasons[code] ?? "Unknown" }

    private static let reasons: [Int: String] = [
        100: "Continue", 101: "Switching Protocols",
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other",
        304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
        412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
        415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported",
        507: "Insufficient Storage",
    ]
}
