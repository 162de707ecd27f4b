import Essentials
package import HTTP

extension Passage {
    /// They would hold for our address beyond this client's visit, name another protocol, or not be true of the body or of us.
    private static let dropped = [
        "strict-transport-security", "public-key-pins", "alt-svc", "expect-ct", "nel", "report-to",
        "reporting-endpoints",
        "digest", "content-md5", "content-digest", "repr-digest", "date", "accept-ranges",
    ]
    /// The service's fields as our client gets them.
    package func ours(_ headers: Headers) -> Headers {
        var made = Headers()
        let listed = Self.listed(headers)
        let cookie = PassedCookie(paths: paths, host: upstream.host, isSecure: isSecure)
        for field in headers.fields where !Self.isHopByHop(field.name, listed) {
            let name = field.name.asciiLowercased
            if Self.dropped.contains(name) { continue }
            made.add(
                field.name, name == "set-cookie" ? cookie.ours(field.value) : ours(field.value, in: name))
        }
        return made
    }

    private func ours(_ value: String, in name: String) -> String {
        switch name {
        case "location", "content-location": return location(value)
        case "link": return links(value)
        case "refresh": return refresh(value)
        case "access-control-allow-origin", "timing-allow-origin":
            return value.equalsIgnoringCase(upstream.origin) ? ourOrigin : value
        case "content-security-policy", "content-security-policy-report-only": return policy(value)
        case "www-authenticate": return table.ours(value)
        default: return value
        }
    }

    private func location(_ value: String) -> String {
        paths.ours(value).map(table.ours) ?? table.ours(value)
    }

    /// `<…>; rel="next"`. Source: RFC 8288 §3.
    private func links(_ value: String) -> String {
        value.replacing(/<([^<>]*)>/) { "<\(location(String($0.1)))>" }
    }

    /// `0; url=…`. Source: HTML Standard, “shared declarative refresh steps”.
    private func refresh(_ value: String) -> String {
        guard let found = value.firstMatch(of: /[;,]\s*(?:url\s*=\s*)?["']?([^"'\s;,]+)/.ignoresCase()) else {
            return table.ours(value)
        }
        return value[..<found.1.startIndex] + location(String(found.1)) + value[found.1.endIndex...]
    }

    /// A policy names origins: the service's own is ours now.
    private func policy(_ value: String) -> String {
        value.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let isEnd = word.hasSuffix(";")
            let source = isEnd ? word.dropLast() : word
            let own =
                [upstream.origin, originHost].contains { String(source).equalsIgnoringCase($0) }
                ? ourOrigin
                : String(source).equalsIgnoringCase(upstream.origin.asSocket) ? ourOrigin.asSocket : nil
            return own.map { $0 + (isEnd ? ";" : "") } ?? table.ours(String(word))
        }.joined(separator: " ")
    }

    private var originHost: String { String(upstream.origin.drop { $0 != "/" }.dropFirst(2)) }

    /// The service's body with our addresses; as it came where it is no text.
    package func ours(_ body: [UInt8], _ headers: Headers) -> [UInt8] {
        guard isRewritten(headers) else { return body }
        let exchanged = table.ours(body)
        let isPage = headers["Content-Type"]?.asciiLowercased.contains("html") ?? false
        return isPage ? paths.rewritten(exchanged) : exchanged
    }

    /// Whether the addresses in a body are exchanged: it is text and has no coding.
    package func isRewritten(_ headers: Headers) -> Bool {
        guard let type = headers["Content-Type"], Self.isText(type) else { return false }
        return isPlain(headers)
    }

    private func isPlain(_ headers: Headers) -> Bool {
        headers.values(of: "Content-Encoding").allSatisfy { ["", "identity"].contains($0.asciiLowercased) }
    }

    /// What the journal says of a text that stays as it came; nil where there is none.
    package func remark(on headers: Headers) -> String? {
        guard let type = headers["Content-Type"], Self.isText(type), !isPlain(headers) else { return nil }
        let coding = headers.values(of: "Content-Encoding").joined(separator: ", ").prefix(40)
        return
            "It came with the coding \(coding) although none was asked for, so that its addresses stay those of the service."
    }
}
