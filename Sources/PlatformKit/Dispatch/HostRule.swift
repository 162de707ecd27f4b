import HTTP

/// Which names a client may call us by.
///
/// A web page whose DNS name was rebound to this machine would otherwise read everything here: its requests carry the page's
/// own host name. So only names that no stranger can own are answered: numeric addresses, `localhost` and what lies below it,
/// names without a dot (a service in a container network), those by which containers reach this machine, and those that were allowed
/// by name. That page can also send any
/// `X-Forwarded-Host` it likes, from this very machine: that field never makes up for a wrong `Host`.
package struct HostRule: Sendable {
    /// Lower-case names without port.
    package var allowedNames: Set<String>

    package init(allowedNames: Set<String> = []) { self.allowedNames = allowedNames }

    /// Docker and Podman resolve them inside of containers. The domain `internal` is reserved for private use: nobody can register a
    /// name in it (ICANN Board, resolution 2024.07.29.06).
    private static let machineNames: Set = [
        "host.docker.internal", "gateway.docker.internal", "host.containers.internal",
    ]

    /// - Parameter host: name without port, lower case.
    package func allows(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") || !host.utf8.contains(UInt8(ascii: "."))
            || isIPv4(host) || host.hasPrefix("[") || Self.machineNames.contains(host)
            || allowedNames.contains(host)
    }

    private func isIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}

/// A `Host` header apart: `localhost:8420`, `[::1]:8420`.
struct Authority: Equatable {
    /// Lower case, without port and without the dot of the root (`localhost.`); an IPv6 address keeps its brackets.
    let host: String
    /// Host and port as they came.
    let text: String

    init(_ text: String) {
        self.text = text
        let lowered = text.lowercased()
        if lowered.hasPrefix("["), let end = lowered.firstIndex(of: "]") {
            host = String(lowered[...end])
        } else {
            let name = lowered.utf8.prefix { $0 != UInt8(ascii: ":") }
            host = String(Substring(name.last == UInt8(ascii: ".") ? name.dropLast() : name))
        }
    }

    /// A colon behind the name, and behind the bracket of an IPv6 address.
    var hasPort: Bool { text.drop { $0 != "]" }.isEmpty ? text.contains(":") : text.contains("]:") }
}
