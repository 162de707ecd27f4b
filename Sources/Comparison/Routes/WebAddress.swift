import Essentials

/// The parts of an absolute URL, as they are written. Source: RFC 3986 §3.
struct WebAddress {
    /// `https://tenant.example:8443`, in lower case.
    let origin: String
    /// Host and port.
    let authority: String
    /// Empty, or beginning with a slash.
    let path: String
    /// Without the question mark; nil without one.
    let query: String?
    let fragment: String?

    /// Nil for what is no URL of a web server.
    init?(_ text: String) {
        // Most values are none, which their first letter tells.
        guard let first = text.utf8.first, "hHwW".utf8.contains(first),
            let range = text.firstRange(of: "://"),
            ["http", "https", "ws", "wss"].contains(text[..<range.lowerBound].asciiLowercased)
        else { return nil }
        let rest = text[range.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        if authority.isEmpty { return nil }
        let scheme = text[..<range.lowerBound].asciiLowercased
        self.init(
            scheme + "://" + authority.asciiLowercased, authority.asciiLowercased,
            rest.dropFirst(authority.count))
    }

    private init(_ origin: String, _ authority: String, _ target: Substring) {
        (self.origin, self.authority) = (origin, authority)
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        fragment = parts.count > 1 ? String(parts[1]) : nil
        let target = (parts.first ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(target.first ?? "")
        query = target.count > 1 ? String(target[1]) : nil
    }

    /// Of a reference that has no scheme, such as a `Location` of `/login?a=1`.
    init(reference: String) {
        self = WebAddress(reference) ?? WebAddress("", "", reference[...])
    }

    /// `https`; empty for a reference.
    var scheme: String { origin.firstRange(of: "://").map { String(origin[..<$0.lowerBound]) } ?? "" }

    var host: String {
        String(authority.hasPrefix("[") ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" })
    }
}
