import Essentials
import HTTP

/// Which names a client may call us by.
///
/// A web page whose DNS name was rebound to this machine would otherwise read everything here: its requests carry the page's
/// own host name. So only names that no stranger can own are answered: numeric addresses, `localhost` and what lies below it,
/// names without a dot (a service in a container network), those by which containers reach this machine, and those that were allowed
/// by name. What is no host name at all, such as `*` or `local,host`, is nobody's. That page can also send any
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
        guard HostName.isName(host) else { return HostName.isIPv6Literal(host) }
        return host.hasSuffix(".localhost") || !host.utf8.contains(UInt8(ascii: "."))
            || HostName.isIPv4(host) || Self.machineNames.contains(host) || allowedNames.contains(host)
    }

    /// The platform that a host name leads to, such as `hanko.localhost` or `blue--hanko.mac.example`: the first label names it, and
    /// the rest is a name of ours. A name that was allowed as a whole leads to all platforms, unless it lies below `localhost`.
    ///
    /// - Parameters:
    ///   - host: name without port, lower case.
    ///   - mounts: the first path segments that belong to platforms.
    package func platform(
        of host: String, _ mounts: Set<String>
    ) -> (world: String?, mount: String, base: String)? {
        guard let dot = host.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let base = String(host[host.index(after: dot)...])
        guard hasPlatforms(below: base), base == "localhost" || !allowedNames.contains(host) else {
            return nil
        }
        let label = String(host[..<dot])
        if mounts.contains(label) { return (nil, label, base) }
        guard let split = label.ranges(of: "--").last else { return nil }
        let mount = String(label[split.upperBound...])
        return mounts.contains(mount) ? (String(label[..<split.lowerBound]), mount, base) : nil
    }

    /// Whether names of platforms may stand before `host`. A name without a dot counts only when it was allowed by name: `hanko.com`
    /// is a stranger's.
    package func hasPlatforms(below host: String) -> Bool {
        if host == "localhost" { return true }
        // No name ends in a digit or a bracket, as numeric addresses do; RFC 3696 §2.
        guard let last = host.utf8.last, !(0x30...0x39 ~= last), last != UInt8(ascii: "]") else {
            return false
        }
        return Self.machineNames.contains(host) || allowedNames.contains(host)
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
        let lowered = text.asciiLowercased
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
