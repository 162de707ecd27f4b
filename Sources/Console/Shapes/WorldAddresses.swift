import HTTP
import PlatformKit

/// Where the platforms of a world are reached, seen from the client of a request.
struct WorldAddresses {
    private let scheme: String
    /// Name or address without port.
    private let host: String
    /// With its colon; empty for the scheme's own port.
    private let port: String
    /// What stands before the paths of all worlds, behind a proxy that takes it away.
    private let prefix: String
    private let lanAddresses: [String]

    /// - Parameter info: tells which host names belong to platforms, and the addresses of this machine.
    init(_ request: Request, _ info: ConsoleInfo) {
        let parts = request.origin.split(separator: "/", omittingEmptySubsequences: true)
        scheme = parts.first.map { String($0.dropLast()) } ?? "http"
        let authority = parts.count > 1 ? parts[1] : "localhost"
        let nameEnd = authority.lastIndex(of: "]") ?? authority.startIndex
        let colon = authority[nameEnd...].lastIndex(of: ":") ?? authority.endIndex
        port = String(authority[colon...])
        let name = String(authority[..<colon])
        let mounts = info.platforms.flatMap(\.mounts)
        // hanko.localhost and blue--hanko.localhost lead into a platform; the paths of all hang below the plain name.
        let isPlatform = mounts.contains { name == $0 + ".localhost" || name.hasSuffix("--\($0).localhost") }
        host = isPlatform ? "localhost" : name
        lanAddresses = info.lanAddresses
        let path = request.worldURL.split(separator: "/", omittingEmptySubsequences: true).dropFirst(2)
        // `/idp` of `/idp/w/blue`.
        let own = path.dropLast().last == "w" ? path.dropLast(2) : path
        prefix = own.map { "/" + $0 }.joined()
    }

    /// The base URL of `world`, without a slash at its end.
    func base(of world: String) -> String { "\(scheme)://\(host)\(port)\(prefix)" + Self.path(of: world) }

    func url(_ mount: String, in world: String) -> String { base(of: world) + "/" + mount }

    /// A host name of the platform's own, for clients that allow no path.
    func hostName(_ mount: String, in world: String) -> String {
        let label = world == Worlds.defaultName ? mount : "\(world)--\(mount)"
        return "\(scheme)://\(label).localhost\(port)"
    }

    /// From inside an Android emulator, where 10.0.2.2 is the machine that runs it.
    func emulator(_ mount: String, in world: String) -> String {
        "\(scheme)://10.0.2.2\(port)\(Self.path(of: world))/\(mount)"
    }

    /// From other devices on the local network.
    func lan(_ mount: String, in world: String) -> [String] {
        lanAddresses.map { address in
            let host = address.contains(":") ? "[\(address)]" : address
            return "\(scheme)://\(host)\(port)\(Self.path(of: world))/\(mount)"
        }
    }

    private static func path(of world: String) -> String { world == Worlds.defaultName ? "" : "/w/" + world }
}
