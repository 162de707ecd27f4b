import HTTP

/// Where a request goes: the parts of an `http` or `https` URL. Source: RFC 9110 §4.2, RFC 3986 §3.
struct ClientURL: Equatable {
    let isSecure: Bool
    /// A name or an address; IPv6 without its brackets.
    let host: String
    let port: Int
    /// Path and query; begins with `/`.
    let target: String

    /// - Parameter text: such as `http://[::1]:8420/users?id=1`. A fragment is dropped.
    init(_ text: String) throws(ClientError) {
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else {
            throw .malformedURL(
                text, "it has a space, a control character or one beyond ASCII; percent-encode it")
        }
        let (isSecure, afterScheme) = try Self.scheme(of: text)
        self.isSecure = isSecure
        let rest = afterScheme.prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        (host, port) = try Self.hostAndPort(authority, of: text, standardPort: isSecure ? 443 : 80)
        let path = rest.dropFirst(authority.count)
        target = path.hasPrefix("/") ? String(path) : "/" + path
    }

    private static func scheme(of text: String) throws(ClientError) -> (isSecure: Bool, rest: Substring) {
        for (scheme, isSecure) in [("http://", false), ("https://", true)]
        where String(text.prefix(scheme.count)).equalsIgnoringCase(scheme) {
            return (isSecure, text.dropFirst(scheme.count))
        }
        throw .malformedURL(text, "it must begin with http:// or https://")
    }

    private static func hostAndPort(
        _ authority: Substring, of text: String, standardPort: Int
    ) throws(ClientError) -> (String, Int) {
        if authority.contains("@") {
            throw .malformedURL(text, "it has user information (…@); send an Authorization header instead")
        }
        let isLiteral = authority.hasPrefix("[")
        let hostEnd = authority.firstIndex(of: isLiteral ? "]" : ":") ?? authority.endIndex
        let host = isLiteral ? authority[..<hostEnd].dropFirst() : authority[..<hostEnd]
        var rest = authority[hostEnd...]
        if isLiteral, rest.popFirst() == nil {
            throw .malformedURL(text, "the bracket of its host does not close")
        }
        if host.isEmpty { throw .malformedURL(text, "it has no host") }
        if rest.isEmpty || rest == ":" { return (String(host), standardPort) }
        guard rest.first == ":", rest.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(rest.dropFirst()), port > 0
        else { throw .malformedURL(text, "“\(rest)” after its host is not a port") }
        return (String(host), Int(port))
    }

    /// The host as URLs and `Host` have it.
    private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

    /// Host and port, always both.
    var place: String { "\(bracketedHost):\(port)" }

    /// The value of `Host`: without the standard port.
    var authority: String { port == (isSecure ? 443 : 80) ? bracketedHost : place }

    var origin: String { (isSecure ? "https://" : "http://") + authority }

    /// What a `Location` field means here. Source: RFC 3986 §5.2.
    func resolving(_ reference: String) throws(ClientError) -> ClientURL {
        let scheme = reference.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if scheme.contains(":") { return try ClientURL(reference) }
        if reference.hasPrefix("//") { return try ClientURL((isSecure ? "https:" : "http:") + reference) }
        if reference.hasPrefix("/") { return try ClientURL(origin + reference) }
        let path = target.prefix { $0 != "?" }
        if reference.isEmpty || reference.hasPrefix("#") { return self }
        if reference.hasPrefix("?") { return try ClientURL(origin + path + reference) }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return try ClientURL(origin + folder + reference)
    }
}
