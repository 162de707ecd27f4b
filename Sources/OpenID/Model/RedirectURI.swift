import Essentials

/// How redirect URIs compare. Source: RFC 6749 §3.1.2; RFC 8252 §7.3; RFC 9700 §2.1.
enum RedirectURI {
    /// Exactly, except for the port of a loopback address, which an app may choose anew each time.
    static func isRegistered(_ uri: String, among registered: [String]) -> Bool {
        if contains(uri, in: registered) { return true }
        guard let portless = loopbackWithoutPort(uri) else { return false }
        return contains(portless, in: registered.compactMap(loopbackWithoutPort))
    }

    /// Byte by byte: to `==`, the Kelvin sign is a K and the Greek question mark a semicolon.
    static func contains(_ uri: String, in registered: [String]) -> Bool {
        registered.contains { $0.utf8.elementsEqual(uri.utf8) }
    }

    /// `http://127.0.0.1/cb` for `http://127.0.0.1:4711/cb`; nil for what is no loopback address. The name `localhost` is none.
    private static func loopbackWithoutPort(_ uri: String) -> String? {
        for host in ["http://127.0.0.1", "http://[::1]"] where uri.hasPrefix(host) {
            let rest = uri.dropFirst(host.count)
            guard rest.first == ":" else {
                return rest.isEmpty || "/?".contains(rest.first ?? "x") ? uri : nil
            }
            let port = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            let tail = rest.dropFirst(1 + port.count)
            guard (1...5).contains(port.count), let number = Int(port), (1...65535).contains(number),
                tail.isEmpty || tail.first == "/" || tail.first == "?"
            else { return nil }
            return host + tail
        }
        return nil
    }

    /// Scheme and authority; nil for a scheme that has none, such as an app's own. Source: RFC 6454 §4.
    static func origin(of uri: String) -> String? {
        for scheme in ["https://", "http://"] where uri.asciiLowercased.hasPrefix(scheme) {
            let authority = uri.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
            let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
            return scheme + withoutDefaultPort(host.asciiLowercased, scheme)
        }
        return nil
    }

    private static func withoutDefaultPort(_ authority: String, _ scheme: String) -> String {
        let port = scheme == "https://" ? ":443" : ":80"
        return authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
    }
}

extension RedirectURI {
    /// Whether a URI leads to an app by a scheme of its own: `com.example.app:/cb`.
    static func isOfApp(_ uri: String) -> Bool {
        guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = String(uri[..<colon])
        return !scheme.contains("/") && !["http", "https"].contains(scheme.asciiLowercased)
    }
}
