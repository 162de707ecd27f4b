import Essentials
package import HTTP

extension Passage {
    /// What the service is asked.
    package struct Question: Sendable {
        package let method: Request.Method
        package let url: String
        package let headers: Headers
        package let body: [UInt8]
    }

    /// Cookies and fields that are for this program alone.
    private static let ownCookie = "understudy_control"
    private static let ownFields = ["x-understudy-", "x-forwarded-"]
    /// They speak of our address, our connection, the way to us, or a part of a text in which nothing is exchanged.
    private static let keptHere = [
        "host", "forwarded", "expect", "accept-encoding", "x-real-ip", "via", "content-digest", "digest",
        "content-md5", "sec-websocket-extensions", "range", "if-range",
    ]

    /// - Parameter path: below the mount, percent-encoding untouched; empty, or begins with `/`.
    /// - Throws: ``UpstreamFailure`` for what is not passed on.
    package func question(_ request: Request, at path: String) throws(UpstreamFailure) -> Question {
        let way = request.headers.values(of: "Via")
        guard !way.contains(where: { $0.contains(via) }) else { throw .loop(upstream.url) }
        guard !path.hasDotSegments else { throw .dotSegments(path) }
        let query = request.query.map { "?" + table.theirs($0) } ?? ""
        var headers = Headers()
        let listed = Self.listed(request.headers)
        for field in request.headers.fields where isPassed(field.name, listed) {
            if let value = theirs(field, request) { headers.add(field.name, value) }
        }
        // A body that has no coding can be read, and its addresses exchanged.
        headers.add("Accept-Encoding", "identity")
        // Whoever is on the way finds itself when the request comes back. Source: RFC 9110 §7.6.3.
        headers.add("Via", (way + ["1.1 \(via)"]).joined(separator: ", "))
        let isText = request.headers["Content-Type"].map(Self.isText) ?? false
        return Question(
            method: request.method, url: upstream.url + rooted(path) + query, headers: headers,
            body: isText ? table.theirs(request.body) : request.body)
    }

    /// A service at the root of its host has no empty path. Source: RFC 9110 §4.2.3.
    private func rooted(_ path: String) -> String { path.isEmpty && upstream.path.isEmpty ? "/" : path }

    private func isPassed(_ name: String, _ listed: [String]) -> Bool {
        let lower = name.asciiLowercased
        return !Self.isHopByHop(name, listed) && !Self.keptHere.contains(lower)
            && !Self.ownFields.contains { lower.hasPrefix($0) }
    }

    /// Nil for a field of which nothing is left.
    private func theirs(_ field: Headers.Field, _ request: Request) -> String? {
        switch field.name.asciiLowercased {
        case "origin": return isOwnPage(field.value, request) ? upstream.origin : field.value
        case "referer": return table.theirs(field.value)
        case "cookie":
            let kept = field.value.split(separator: ";").filter { pair in
                pair.drop { $0 == " " }.prefix { $0 != "=" } != Self.ownCookie
            }
            return kept.isEmpty ? nil : kept.joined(separator: ";").trimmingLeadingBlanks
        default: return field.value
        }
    }

    /// Whether a page of the service asks, at our address. A page of ours at another path, such as the sample app's, says so in `Referer`.
    private func isOwnPage(_ origin: String, _ request: Request) -> Bool {
        guard origin.equalsIgnoringCase(ourOrigin) else { return false }
        guard let referer = request.headers["Referer"] else { return true }
        // A page whose policy tells the origin alone: nobody knows.
        if referer == origin || referer == origin + "/" { return true }
        return table.theirs(referer) != referer
    }

    /// Whether addresses in a body of this type are exchanged.
    static func isText(_ type: String) -> Bool {
        let essence = type.prefix { $0 != ";" }.filter { $0 != " " }.asciiLowercased
        let known = [
            "text/html", "text/plain", "text/css", "text/javascript", "text/xml", "application/json",
            "application/javascript",
            "application/xml", "application/xhtml+xml", "application/x-www-form-urlencoded",
            "application/problem+json",
        ]
        return known.contains(essence) || essence.hasSuffix("+json") || essence.hasSuffix("+xml")
    }
}

extension String {
    fileprivate var trimmingLeadingBlanks: String { String(drop { $0 == " " }) }

    /// Whether a segment is `.` or `..`, however it is written. Source: RFC 3986 §5.2.4.
    fileprivate var hasDotSegments: Bool {
        utf8.split(separator: UInt8(ascii: "/")).contains { segment in
            let name = segment.prefix { $0 != UInt8(ascii: ";") }
            // Two dots that are encoded have six letters.
            guard name.count <= 6, let text = String(name) else { return false }
            let plain = text.asciiLowercased.replacing("%2e", with: ".")
            return plain == "." || plain == ".."
        }
    }
}
