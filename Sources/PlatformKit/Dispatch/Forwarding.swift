import Essentials
package import HTTP

/// How the client reached the proxy in front of us, in the proxy's words.
///
/// Sources: RFC 7239; common practice for the fields with `X-`, which win where both are there: proxies that set those pass on what
/// they do not know.
struct Forwarding {
    /// `http` or `https`.
    private(set) var scheme: String?
    /// Host with an optional port.
    private(set) var authority: String?
    /// Counts where the host has none.
    private(set) var port: String?
    /// What the proxy took away from the front of the path, such as `/idp`; nil where it says nothing.
    private(set) var prefix: String?

    /// Nothing was told, or nobody may.
    static let none = Forwarding()

    /// Whether no proxy told anything.
    var isNothing: Bool { scheme == nil && authority == nil && port == nil && prefix == nil }

    private init() {}

    /// - Throws: ``HostRefused/malformed(_:_:expected:)``.
    init(_ headers: Headers) throws(HostRefused) {
        // Without a proxy none of the fields is there, which is found out at once.
        guard headers.fields.contains(where: { Self.isForwarding($0.name) }) else { return }
        let element = try ForwardedElement(headers["Forwarded"] ?? "")
        scheme = Self.scheme(Self.first("X-Forwarded-Proto", headers) ?? element["proto"])
        if let host = Self.first("X-Forwarded-Host", headers) {
            authority = try Self.checked(host, in: "X-Forwarded-Host")
        } else if let host = element["host"] {
            authority = try Self.checked(host, in: "Forwarded")
        }
        port = try Self.first("X-Forwarded-Port", headers).map { text throws(HostRefused) in
            guard let number = UInt16(text), number > 0, text.utf8.first != UInt8(ascii: "+") else {
                throw .malformed("X-Forwarded-Port", text, expected: "a port from 1 to 65535")
            }
            return String(number)
        }
        prefix = try headers["X-Forwarded-Prefix"].map { text throws(HostRefused) in try Self.prefix(text) }
    }

    private static func isForwarding(_ name: String) -> Bool {
        switch name.utf8.first {
        case UInt8(ascii: "F"), UInt8(ascii: "f"): name.equalsIgnoringCase("Forwarded")
        case UInt8(ascii: "X"), UInt8(ascii: "x"): true
        default: false
        }
    }

    /// Host and port as the client has them, with the scheme's own port left out.
    ///
    /// - Parameter own: the `Host` field.
    func authority(_ own: String, scheme: String) -> String {
        let told = authority ?? own
        guard let port, !Authority(told).hasPort else { return told }
        return port == (scheme == "https" ? "443" : "80") ? told : told + ":" + port
    }

    /// The first of a list: of several proxies the one that the client talks to.
    private static func first(_ name: String, _ headers: Headers) -> String? {
        guard let values = headers[name] else { return nil }
        let first = values.prefix { $0 != "," }.filter { $0 != " " }
        return first.isEmpty ? nil : String(first)
    }

    private static func scheme(_ text: String?) -> String? {
        text.map { $0.asciiLowercased }.flatMap { ["http", "https"].contains($0) ? $0 : nil }
    }

    private static func checked(_ host: String, in field: String) throws(HostRefused) -> String {
        guard HTTP.Authority.isValid(Array(host.utf8)) else {
            throw .malformed(field, host, expected: "a host name with an optional port")
        }
        return host
    }

    /// Of several proxies each adds what it took away, so that all of it stands before the path.
    private static func prefix(_ text: String) throws(HostRefused) -> String {
        let parts = text.split(separator: ",").map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        guard parts.allSatisfy(\.isPathPrefix), text.utf8.count <= 200 else {
            throw .malformed(
                "X-Forwarded-Prefix", text, expected: "a path such as /idp of letters, digits, - . _ ~ and /")
        }
        return parts.map(\.withoutFinalSlash).joined()
    }
}

/// The address by which a client reached a recorded service, as the proxy in front of it told the service.
package struct ToldAddress: Sendable, Hashable {
    /// `http` or `https`.
    package let scheme: String
    /// Host with an optional port.
    package let authority: String
    /// What the proxy took away from the front of the path; empty for nothing.
    package let prefix: String

    /// The fields that tell it, in lower case.
    package static let fields: Set = [
        "forwarded", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-port", "x-forwarded-prefix",
    ]

    /// Nil where no proxy told anything that can be read.
    ///
    /// - Parameters:
    ///   - scheme: that of the address at which the service itself was asked.
    ///   - authority: the same of host and port.
    package init?(_ headers: Headers, scheme: String, authority: String) {
        // What cannot be read is refused by a server, and tells nothing.
        guard let told = try? Forwarding(headers), !told.isNothing else { return nil }
        self.scheme = told.scheme ?? scheme
        self.authority = told.authority(authority, scheme: self.scheme)
        prefix = told.prefix ?? ""
    }
}

extension String {
    /// Whether it can stand before the path of any address, in a redirect and in the path of a cookie: `/idp`. Two slashes at the
    /// front would be a host, RFC 3986 §4.2.
    package var isPathPrefix: Bool {
        let segments = split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        return hasPrefix("/") && utf8.allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: "/") }
            && !segments.dropLast().contains("") && !segments.contains(".") && !segments.contains("..")
    }

    package var withoutFinalSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}

/// The first element of a field `Forwarded`: pairs of name and value. Source: RFC 7239 §4.
private struct ForwardedElement {
    private var pairs: [String: String] = [:]

    subscript(_ name: String) -> String? { pairs[name] }

    init(_ field: String) throws(HostRefused) {
        var rest = field.utf8[...]
        while !Self.isAtEnd(&rest) {
            let name = Self.token(&rest).asciiLowercased
            guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "="), let value = Self.value(&rest),
                pairs.updateValue(value, forKey: name) == nil, Self.isAtBoundary(&rest)
            else { throw .malformed("Forwarded", field, expected: "RFC 7239: host=example.com;proto=https") }
        }
    }

    /// Passes over blanks and what parts the pairs.
    private static func isAtEnd(_ rest: inout Substring.UTF8View) -> Bool {
        skipBlanks(&rest)
        if rest.first == UInt8(ascii: ";") { rest.removeFirst() }
        skipBlanks(&rest)
        return rest.isEmpty || rest.first == UInt8(ascii: ",")
    }

    private static func isAtBoundary(_ rest: inout Substring.UTF8View) -> Bool {
        skipBlanks(&rest)
        return rest.isEmpty || rest.first == UInt8(ascii: ";") || rest.first == UInt8(ascii: ",")
    }

    private static func skipBlanks(_ rest: inout Substring.UTF8View) {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// RFC 9110 §5.6.2; host names with a port and IPv6 addresses have to be quoted, and not everybody does it.
    private static func token(_ rest: inout Substring.UTF8View) -> String {
        let token = rest.prefix { (0x21...0x7E).contains($0) && !"=;,\"".utf8.contains($0) }
        rest = rest[token.endIndex...]
        return String(Substring(token))
    }

    /// A token, or a quoted string with its quotes taken off. Source: RFC 9110 §5.6.4.
    private static func value(_ rest: inout Substring.UTF8View) -> String? {
        guard rest.first == UInt8(ascii: "\"") else {
            let text = token(&rest)
            return text.isEmpty ? nil : text
        }
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
            guard byte != UInt8(ascii: "\\") else {
                guard let escaped = rest.popFirst() else { return nil }
                bytes.append(escaped)
                continue
            }
            bytes.append(byte)
        }
        return nil
    }
}
