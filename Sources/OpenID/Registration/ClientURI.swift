import Essentials
import PlatformKit

/// An absolute URI in client metadata, taken apart as far as rules need it. Source: RFC 3986 §3.
struct ClientURI {
    let member: String
    let text: String
    /// Lower case.
    let scheme: String
    /// Lower case, without port; empty for a URI that has no authority.
    let host: String
    private let hasUserInfo: Bool
    private let hasFragment: Bool

    private static let mostBytes = 2_000
    /// What a browser would run or read instead of going there.
    private static let dangerous: Set = [
        "javascript", "data", "vbscript", "file", "blob", "about", "view-source",
    ]

    /// - Throws: ``MetadataFault``.
    init(_ text: String, of member: String) throws {
        guard text.utf8.count <= Self.mostBytes else {
            throw MetadataFault(member, "a URI has \(text.utf8.count) bytes; \(Self.mostBytes) are the most")
        }
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !Self.forbidden.contains($0) }) else {
            throw MetadataFault(
                member, "“\(text.prefix(80))” has a character that a URI cannot have; percent-encode it")
        }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(text[..<colon]) else {
            throw MetadataFault(
                member, "“\(text.prefix(80))” is not absolute; it must begin with a scheme such as https:")
        }
        (self.member, self.text) = (member, text)
        scheme = text[..<colon].asciiLowercased
        let rest = text[colon...].dropFirst()
        let authority = rest.hasPrefix("//") ? rest.dropFirst(2).prefix { !"/?#".contains($0) } : ""
        hasUserInfo = authority.contains("@")
        host = Self.host(of: authority)
        hasFragment = text.utf8.contains(UInt8(ascii: "#"))
    }

    /// Source: RFC 3986 §2: neither reserved nor unreserved.
    private static let forbidden = Set("\"<>\\^`{|}".utf8)

    /// Source: RFC 3986 §3.1.
    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// What begins with a host and a port, with the scheme that it lacks; nil for anything else.
    static func withScheme(_ text: String) -> String? {
        let host = text.prefix { $0 != ":" }
        let port = text.dropFirst(host.count + 1).prefix { !"/?#".contains($0) }
        guard isScheme(host), (1...5).contains(port.utf8.count), port.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
        else {
            return nil
        }
        return (host.asciiLowercased == "localhost" ? "http://" : "https://") + text
    }

    private static func host(of authority: Substring) -> String {
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        if place.hasPrefix("[") { return String(place.prefix { $0 != "]" } + "]").asciiLowercased }
        return place.prefix { $0 != ":" }.asciiLowercased
    }

    private var isWeb: Bool { scheme == "https" || scheme == "http" }

    private func fault(_ reason: String) -> MetadataFault {
        MetadataFault(member, "\(text.prefix(200)) \(reason)")
    }

    /// Where a browser may be sent at all. Source: RFC 6749 §3.1.2.
    func checkAbsolute() throws {
        if hasFragment { throw fault("has a fragment") }
        if Self.dangerous.contains(scheme) { throw fault("has a scheme that leads nowhere safe") }
    }

    /// Where a browser is sent with an answer. Source: RFC 6749 §3.1.2; RFC 8252 §7.
    func checkRedirect(isNative: Bool) throws {
        try checkAbsolute()
        guard isWeb else { return }
        try checkWeb()
        // Without TLS only to a machine that no stranger can be.
        if isNative, scheme == "http", !["localhost", "127.0.0.1", "[::1]"].contains(host) {
            throw fault(
                "is plain http to another machine; a native app uses its own scheme, https or loopback (RFC 8252 §7)"
            )
        }
    }

    /// Where we, or a browser, fetch something.
    ///
    /// - Parameter isPage: whether it is for people, who may be led to a place within it.
    func checkWeb(isPage: Bool = false) throws {
        guard isWeb else { throw fault("is not an http or https URL") }
        guard !host.isEmpty else { throw fault("names no host") }
        if hasUserInfo { throw fault("has a user name in it") }
        if hasFragment, !isPage { throw fault("has a fragment") }
        if scheme == "http", !HostRule().allows(host) {
            throw fault(
                "is plain http; that is for localhost, addresses and names without a dot, others need https")
        }
    }

    /// Refuses what only this machine and its network can reach, as far as the name tells. Sources: RFC 6761 §6.3; RFC 6890 §2.2.
    func refusePrivate() throws {
        let isNamed = host.contains(".") && !host.hasSuffix(".localhost") && !host.hasSuffix(".")
        let isPublic =
            if host.hasPrefix("[") { isPublicIPv6 } else if let bytes = ipv4 { Self.isPublic(bytes) } else {
                isNamed
            }
        guard !isPublic else { return }
        throw fault(
            "is at a private address, and a client that registers itself is a stranger; \"fetch_private_addresses\": true among the settings of the fixtures allows it"
        )
    }

    private var ipv4: [UInt8]? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { UInt8($0) }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func isPublic(_ bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1]) {
        case (0, _), (10, _), (127, _), (169, 254), (172, 16...31), (192, 168), (100, 64...127),
            (198, 18...19), (224..., _):
            false
        default: true
        }
    }

    /// Global unicast alone, without addresses of IPv4 in it. Source: RFC 4291 §2.4.
    private var isPublicIPv6: Bool {
        guard let first = host.dropFirst().first, first == "2" || first == "3" else { return false }
        return !host.contains(".")
    }

    func checkHTTPS() throws {
        try checkWeb()
        if scheme != "https" { throw fault("must be https") }
    }
}
