import Essentials
import HTTP

/// One request on its way through: where it came to, where it goes, and how addresses and fields change between the two.
package struct Passage: Sendable {
    /// The mount's base URL as its client has it: `http://localhost:8420/hanko`.
    let ours: String
    let upstream: Upstream
    package let table: AddressTable
    /// Of a program that passes requests on, so that it knows its own when they come back.
    let via: String
    let paths: PagePaths

    /// - Parameters:
    ///   - ours: the base URL of the mount as its client has it.
    ///   - others: base URLs of the world's other services, and of ours.
    package init(ours: String, to upstream: Upstream, others: [AddressTable.Pair], via: String) {
        (self.ours, self.upstream, self.via) = (ours, upstream, via)
        table = AddressTable([AddressTable.Pair(ours: ours, theirs: upstream.url)] + others)
        paths = PagePaths(
            theirs: upstream.path, ours: Self.path(of: ours),
            network: (Self.network(of: upstream.url), Self.network(of: ours)))
    }

    /// Scheme and authority of a URL.
    static func origin(of url: String) -> String {
        url.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }

    /// `//tenant.example/base`
    private static func network(of url: String) -> String { String(url.drop { $0 != "/" }) }

    private static func path(of url: String) -> String { String(url.dropFirst(origin(of: url).count)) }

    var ourOrigin: String { Self.origin(of: ours) }
    var isSecure: Bool { ours.hasPrefix("https://") }

    /// Fields of one connection alone. Source: RFC 9110 §7.6.1.
    static func isHopByHop(_ name: String, _ listed: [String]) -> Bool {
        let names = [
            "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te",
            "trailer",
            "transfer-encoding", "upgrade", "content-length",
        ]
        let name = name.asciiLowercased
        return names.contains(name) || listed.contains(name)
    }

    /// Names that `Connection` lists, in lower case.
    static func listed(_ headers: Headers) -> [String] {
        headers.values(of: "Connection").flatMap { $0.split(separator: ",") }.map { name in
            name.filter { $0 != " " && $0 != "\t" }.asciiLowercased
        }
    }
}
