import PlatformKit

/// A world, as lists of worlds show it.
struct WorldJSON: Encodable {
    let name: String
    /// Whether it was touched and holds a database now.
    let live: Bool
    let createdAt: String
    let lastUsedAt: String
    let baseURL: String
    /// Base URLs by mount path.
    let urls: [String: String]

    init(_ world: WorldSummary, _ addresses: WorldAddresses, _ info: ConsoleInfo) {
        name = world.name
        live = world.isLive
        createdAt = Timestamp.text(world.createdAt)
        lastUsedAt = Timestamp.text(world.lastUsedAt)
        baseURL = addresses.base(of: world.name)
        urls = addresses.urls(in: world.name)
    }
}

extension WorldAddresses {
    /// Base URLs by mount path.
    func urls(in world: String) -> [String: String] {
        let base = base(of: world) + "/"
        return Dictionary(mounts.map { ($0, base + $0) }) { first, _ in first }
    }
}
