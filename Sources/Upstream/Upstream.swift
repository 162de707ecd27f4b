import Essentials
import HTTP
import HTTPClient

/// A real service that answers in the place of a platform: where it is, and whom its client believes over TLS.
///
/// What it is called by in fixtures and control API is the mount that it stands behind: `{"hanko": {"url": "https://tenant.example"}}`.
package struct Upstream: Codable, Sendable, Equatable {
    /// Scheme, host and perhaps a port and a path, without a slash at its end: `https://tenant.example/base`.
    package let url: String
    /// Certificates (PEM) of authorities that are believed beside the system's.
    package let ca: String?

    /// Bytes of a URL, and of the authorities.
    package static let urlLimit = 1000
    package static let authorityLimit = 256 * 1024

    /// - Throws: ``UpstreamMalformed``.
    package init(url: String, ca: String? = nil) throws(UpstreamMalformed) {
        (self.url, self.ca) = (try Self.checked(url), ca)
        guard let ca else { return }
        guard ca.utf8.count <= Self.authorityLimit else {
            throw UpstreamMalformed(
                "ca", "certificates of at most \(Self.authorityLimit) bytes", "\(ca.utf8.count)")
        }
        guard ca.contains("-----BEGIN CERTIFICATE-----") else {
            throw UpstreamMalformed("ca", "certificates in PEM form", "a text without one")
        }
    }

    /// The same with scheme and host in lower case and no standard port.
    private static func checked(_ text: String) throws(UpstreamMalformed) -> String {
        let expected =
            "an http or https URL of a host and perhaps a path, such as https://tenant.example, without query, fragment and user"
        guard text.utf8.count <= urlLimit, !text.contains("?"), !text.contains("#"),
            let origin = HTTPClient.origin(of: text)
        else { throw UpstreamMalformed("url", expected, String(text.prefix(100))) }
        let path = String(
            text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3).first
                ?? "")
        let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
        guard trimmed.isEmpty || ("/" + trimmed).isPlainPath else {
            throw UpstreamMalformed("url", expected, String(text.prefix(100)))
        }
        return trimmed.isEmpty ? origin : origin + "/" + trimmed
    }

    /// Scheme and authority.
    package var origin: String {
        url.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }

    /// What stands before the service's own paths; empty, or `/base`.
    package var path: String { String(url.dropFirst(origin.count)) }

    /// Without the port; IPv6 without its brackets.
    package var host: String {
        let authority = origin.split(separator: "/").last.map(String.init) ?? origin
        if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
        return String(authority.prefix { $0 != ":" })
    }
}

/// Members of a fixture or of a call that are no upstream.
package struct UpstreamMalformed: Error, Equatable {
    package let member: String
    package let expected: String
    package let given: String

    init(_ member: String, _ expected: String, _ given: String) {
        (self.member, self.expected, self.given) = (member, expected, given)
    }
}

extension String {
    /// Whether it is a path of letters, digits and signs that need no encoding, without `.` and `..`, and without empty segments.
    var isPlainPath: Bool {
        let segments = split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        return hasPrefix("/") && !segments.contains("") && !segments.contains(".") && !segments.contains("..")
            && utf8.allSatisfy { byte in
                0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
                    || "-._~/".utf8.contains(byte)
            }
    }
}
