import HTTP
import PlatformKit

/// Where the platforms of a world are reached: from the client of a request, and by everybody else. What does not work is nil or empty.
struct WorldAddresses {
    /// Scheme, name and port of the request, or of `--public-url`.
    private let home: Place
    /// What stands before the paths of all worlds, behind a proxy that takes it away.
    private let prefix: String
    /// Whether platforms have names below that of ``home``.
    private let hasNames: Bool
    /// Scheme and port at which everybody reaches this program without a proxy.
    private let own: Place
    private let reach: Reach
    private let lanAddresses: [String]
    private let doors: [String: Int]
    private let mailPort: Int?
    /// First path segments of all platforms.
    let mounts: [String]

    /// - Parameter info: tells where the program listens.
    init(_ request: Request, _ info: ConsoleInfo) {
        let asked = Place(request.askedOrigin)
        let parts = request.worldURL.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        let isPublic = request.origin != request.askedOrigin
        home = Self.home(request, parts, isPublic: isPublic, reach: info.reach)
        // `/idp` of `/idp/w/blue`.
        let path = parts.dropFirst(2)
        prefix = (path.dropLast().last == "w" ? path.dropLast(2) : path).map { "/" + $0 }.joined()
        hasNames = request.namesPlatforms || ["127.0.0.1", "[::1]"].contains(home.host)
        let isForwarded = request.headers["Host"].map { !request.askedOrigin.hasSuffix("//" + $0) } ?? false
        let port = request.peer.door == nil && !isForwarded ? asked.port : info.doors.main.map { ":\($0)" }
        // The certificates of our own CA are for all of these; those of the user's own may not be.
        let scheme =
            info.reach.takesTLSOnly ? "https" : info.authority == nil ? "http" : asked.scheme
        own = Place(scheme: scheme, host: "localhost", port: port ?? asked.port)
        (reach, lanAddresses, doors) = (info.reach, info.lanAddresses, info.doors.ports)
        mailPort = info.doors.mail
        mounts = info.mounts
    }

    /// The client's own way, unless that is a name which only others know for this machine.
    private static func home(
        _ request: Request, _ parts: [Substring], isPublic: Bool, reach: Reach
    ) -> Place {
        let place = Place(parts.prefix(2).joined(separator: "//"))
        let isForeign = [
            "10.0.2.2", "host.docker.internal", "gateway.docker.internal", "host.containers.internal",
        ]
        .contains(place.host)
        guard isForeign, !isPublic, reach.isOnLoopback else { return place }
        return Place(scheme: place.scheme, host: "localhost", port: place.port)
    }

    /// The base URL of `world`, without a slash at its end.
    func base(of world: String) -> String { home.url + prefix + Self.path(of: world) }

    func url(_ mount: String, in world: String) -> String { base(of: world) + "/" + mount }

    /// A host name of the platform's own, for clients that allow no path.
    func hostName(_ mount: String, in world: String) -> String? {
        guard hasNames, prefix.isEmpty else { return nil }
        let label = world == Worlds.defaultName ? mount : "\(world)--\(mount)"
        let isNumeric = ["127.0.0.1", "[::1]"].contains(home.host)
        return "\(home.scheme)://\(label).\(isNumeric ? "localhost" : home.host)\(home.port)"
    }

    /// The root of a port of its own, on this machine; nil where it has none.
    func port(_ mount: String, in world: String) -> String? {
        door(mount, in: world).map { own.at($0.port).url + $0.path }
    }

    /// Where back ends send mail by SMTP, from this machine and from other ones; nil without `--smtp-port`.
    var smtp: String? {
        mailPort.map {
            "smtp://\(reach.isOnLoopback ? "localhost" : lanAddresses.first.map(Self.bracketed) ?? home.host):\($0)"
        }
    }

    /// From the iOS simulator, which shares the network of this machine.
    func simulator(_ mount: String, in world: String) -> String? {
        guard reach.isOnLoopback else { return lan(mount, in: world).first }
        return own.url + Self.path(of: world) + "/" + mount
    }

    /// From inside an Android emulator, where 10.0.2.2 is the loopback of the machine that runs it.
    func emulator(_ mount: String, in world: String) -> String? {
        guard reach.isOnLoopback else { return lan(mount, in: world).first }
        return own.named("10.0.2.2").url + Self.path(of: world) + "/" + mount
    }

    /// From other devices on the local network.
    func lan(_ mount: String, in world: String) -> [String] {
        lanAddresses.filter { !(reach.takesTLSOnly && reach.unsigned.contains($0)) }.map { address in
            let scheme = reach.unsigned.contains(address) ? "http" : own.scheme
            let place = Place(scheme: scheme, host: Self.bracketed(address), port: own.port)
            return place.url + Self.path(of: world) + "/" + mount
        }
    }

    /// From a container on this machine, whose gateway is an address of it that is not the loopback.
    func container(_ mount: String, in world: String) -> String? {
        guard reach.isEverywhere else { return nil }
        return own.named("host.docker.internal").url + Self.path(of: world) + "/" + mount
    }

    /// What makes `localhost` on an Android emulator, or on a device at the cable, this machine: the main port and all others.
    var reverse: [String] {
        guard reach.isOnLoopback else { return [] }
        let main = own.port.isEmpty ? [own.scheme == "https" ? ":443" : ":80"] : [own.port]
        return (main + doors.values.sorted().map { ":\($0)" }).map { "adb reverse tcp\($0) tcp\($0)" }
    }

    /// Where other devices on the local network reach us, without trust where that is possible; nil where they do not.
    var lanOrigin: String? {
        let scheme = reach.takesTLSOnly ? "https" : "http"
        return lanAddresses.first.map { "\(scheme)://\(Self.bracketed($0))\(own.port)" }
    }

    /// The same from a container on this machine.
    var containerOrigin: String? { reach.isEverywhere ? own.named("host.docker.internal").url : nil }

    /// Whether phones are to speak plain HTTP.
    var isPlain: Bool { own.scheme == "http" }

    private func door(_ mount: String, in world: String) -> (port: Int, path: String)? {
        if let port = doors[ListeningPorts.name(world: world, mount: mount)] { return (port, "") }
        return doors[ListeningPorts.name(world: world)].map { ($0, "/" + mount) }
    }

    private static func bracketed(_ address: String) -> String {
        address.contains(":") ? "[\(address)]" : address
    }

    private static func path(of world: String) -> String { world == Worlds.defaultName ? "" : "/w/" + world }
}

/// Scheme, host and port of a URL.
private struct Place {
    let scheme: String
    /// Name or address without port; an IPv6 address has its brackets.
    let host: String
    /// With its colon; empty for the scheme's own port.
    let port: String

    init(scheme: String, host: String, port: String) {
        (self.scheme, self.host, self.port) = (scheme, host, port)
    }

    init(_ origin: String) {
        let parts = origin.utf8.split(separator: UInt8(ascii: "/"))
        scheme = parts.first.map { String(Substring($0.dropLast())) } ?? "http"
        let authority = parts.count > 1 ? parts[1] : "localhost".utf8[...]
        let nameEnd = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        let colon = authority[nameEnd...].lastIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        port = String(Substring(authority[colon...]))
        host = String(Substring(authority[..<colon]))
    }

    var url: String { "\(scheme)://\(host)\(port)" }

    func named(_ host: String) -> Place { Place(scheme: scheme, host: host, port: port) }
    func at(_ port: Int) -> Place { Place(scheme: scheme, host: host, port: ":\(port)") }
}
