import SQLite
package import Upstream

extension World {
    /// By their mounts.
    package var upstreams: [String: Upstream] { core.upstreams.all.mapValues(\.upstream) }

    /// Whether the fixtures or the control API said something of them; else they are those of the program's options.
    package var hasOwnUpstreams: Bool { core.upstreams.areOwn }

    /// Takes secrets of real people out of what is kept of the request that is served; nil where the platform answers, or all is to be kept.
    ///
    /// - Parameter isLost: whether the request came to no platform: in a world with upstreams it was perhaps meant for one.
    func mask(isLost: Bool = false) -> SecretMask? {
        let isReal = passing != nil || isLost && !core.upstreams.isEmpty
        return isReal && !core.upstreams.showsSecrets ? SecretMask() : nil
    }

    /// A request's target as journal and log may have it.
    func kept(target: String) -> String { mask()?.masked(target: target) ?? target }

    /// Changes which services the world calls; they are its own from then on.
    package func changeUpstreams(_ edit: (inout [String: Upstream]) throws -> Void) throws {
        var all = upstreams
        try edit(&all)
        try database.write { try UpstreamFixture.setting.set(all, in: $0) }
        core.upstreams.replace(with: all)
    }
}
