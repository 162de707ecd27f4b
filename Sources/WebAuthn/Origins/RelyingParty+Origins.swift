import Crypto
import Essentials

extension RelyingParty {
    /// By what an origin is expected.
    package enum Expectation: Sendable, CaseIterable {
        /// It is one of ``RelyingParty/origins``.
        case listed
        /// It is one of ``RelyingParty/appOrigins``.
        case app
        /// It is one of ``RelyingParty/relatedOrigins``.
        case relatedSite
        case anyLocalhost
    }

    /// The first reason to expect an origin; nil where there is none.
    package func expectation(of origin: String) -> Expectation? {
        if origins.contains(where: { isSame($0, origin) }) { return .listed }
        if expectsAssociated {
            if appOrigins.contains(origin) { return .app }
            if relatedOrigins.contains(where: { isSame($0, origin) }) { return .relatedSite }
        }
        return allowsLocalhost && Self.isLocalhost(origin) ? .anyLocalhost : nil
    }

    func expects(_ origin: String) -> Bool { expectation(of: origin) != nil }

    /// What is expected, all but any localhost.
    var expected: [String] {
        let associated = expectsAssociated ? appOrigins + relatedOrigins : []
        return origins + associated.filter { other in !origins.contains { isSame($0, other) } }
    }

    /// The same for people, with any localhost where that is expected.
    package var effectiveOrigins: String {
        (expected + (allowsLocalhost ? ["any port of localhost"] : [])).joined(separator: ", ")
    }

    func expects(top origin: String) -> Bool { topOrigins.contains { isSame($0, origin) } }

    /// The line for the fixtures that has this origin beside the present ones.
    package func line(adding origin: String) -> String? {
        let texts = (origins + [origin]).map { "\"\($0)\"" }
        // What would have to be escaped is no origin.
        guard !origin.contains(where: { $0 == "\"" || $0 == "\\" || $0.isNewline }), origin.count <= 300
        else {
            return nil
        }
        return "\"origins\": [\(texts.joined(separator: ", "))]"
    }

    /// A sentence about where an origin comes from that is not expected.
    func remark(on origin: String) -> String {
        if origin.hasPrefix(AndroidOrigin.prefix) {
            return
                "\(origin.shortened) (an Android app; each signing key of it, be it for debug, upload or the store, has its own)"
        }
        if origin == "https://\(id)" {
            return
                "\(origin.shortened) (what a native app on iOS or macOS sends, whatever port the server has)"
        }
        return origin.shortened
    }

    /// Why a web page at this origin cannot use the id at all, as a sentence; nil where it can.
    ///
    /// Source: Web Authentication Level 3 §5.1.3.
    func obstacle(at origin: String) -> String? {
        let host = Self.host(of: origin)
        guard !host.isEmpty, host != id, !host.hasSuffix("." + id),
            !relatedOrigins.contains(where: { isSame($0, origin) })
        else { return nil }
        return
            "\(origin.shortened) can never use \(id): the relying party id of a page is its host or a domain around it."
    }

    /// The id that the hash belongs to, of those that the origin may use.
    static func id(of hash: [UInt8], at origin: String) -> String? {
        var host = host(of: origin)[...]
        while !host.isEmpty {
            if Digest.sha256(Array(host.utf8)) == hash { return String(host) }
            guard let dot = host.firstIndex(of: ".") else { return nil }
            host = host[host.index(after: dot)...]
        }
        return nil
    }

    /// The host of a web origin; empty for any other.
    static func host(of origin: String) -> String {
        guard let scheme = origin.firstRange(of: "://"),
            ["http", "https"].contains(origin[..<scheme.lowerBound])
        else { return "" }
        let rest = origin[scheme.upperBound...].prefix(300)
        if rest.hasPrefix("[") { return String(rest.prefix { $0 != "]" }) + "]" }
        return String(rest.prefix { $0 != ":" && $0 != "/" })
    }

    /// What is odd about the configured origins, in sentences; none is a reason to refuse anything.
    package var problems: [String] {
        origins.compactMap { origin in
            if origin.hasPrefix(AndroidOrigin.prefix) {
                return AndroidOrigin.isWellFormed(origin)
                    ? nil
                    : "“\(origin)” is not android:apk-key-hash: with the SHA-256 of a signing certificate in 43 characters of base64url"
            }
            let host = Self.host(of: origin)
            guard !host.isEmpty else { return nil }
            if origin.hasSuffix("/") { return "“\(origin)” ends with a slash, which no client sends" }
            guard host == id || host.hasSuffix("." + id) else {
                return
                    "“\(origin)” can only use “\(id)” as a related origin: its host is not within that domain"
            }
            return origin.hasPrefix("http:") && host != "localhost" && !host.hasSuffix(".localhost")
                ? "“\(origin)” is not secure, so browsers offer no passkeys there" : nil
        }
    }

    private func isSame(_ one: String, _ other: String) -> Bool {
        ignoresCase && !one.hasPrefix(AndroidOrigin.prefix)
            ? one.asciiLowercased == other.asciiLowercased : one == other
    }

    private static func isLocalhost(_ origin: String) -> Bool {
        if origin == "http://localhost" || origin == "https://localhost" { return true }
        for prefix in ["http://localhost:", "https://localhost:"] where origin.hasPrefix(prefix) {
            let port = origin.dropFirst(prefix.count)
            return UInt16(port).map { "\($0)" == port } ?? false
        }
        return false
    }
}
