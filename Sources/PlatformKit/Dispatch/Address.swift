import HTTP

/// What a request's host and path say about where it wants to go, and under which URL the client reached us.
///
/// Three forms lead to the same endpoint: `/hanko/users`, `/users` at the host `hanko.localhost`, and either of them in a
/// world: `/w/blue/hanko/users`, `blue--hanko.localhost`. Beside them, a metadata document has the form of RFC 8414 §3.1, where
/// the issuer's path stands behind the document's: `/.well-known/oauth-authorization-server/hanko`.
struct Address: Equatable {
    /// Nil where the address names no world.
    var world: String?
    /// The path as the route table knows it: `/hanko/users`.
    var path: String
    /// The prefix before the platform's own paths: `/w/blue/hanko`; empty at a host name of the platform's own.
    var mount: String
    /// The same by path alone, behind the prefix of the world: `/hanko`; empty where no platform is meant.
    let home: String

    /// - Parameters:
    ///   - host: name without port, lower case.
    ///   - path: as the client sent it.
    ///   - mounts: the first path segments that belong to platforms.
    init(host: String, path: String, mounts: Set<String>) {
        if let (world, mount) = Self.platform(of: host, mounts) {
            self.world = world
            self.path = path == "/" ? "/" + mount + "/" : "/" + mount + path
            self.mount = ""
            home = "/" + mount
            // Control API and console answer at every host name.
            if path.hasPrefix("/_understudy/") || path.hasPrefix("/_console/") { self.path = path }
            return
        }
        let path = Self.uninserted(path, mounts) ?? path
        var rest = path.utf8[...]
        var prefix = ""
        if rest.starts(with: "/w/".utf8) {
            let name = rest.dropFirst(3).prefix { $0 != UInt8(ascii: "/") }
            world = String(Substring(name))
            rest = rest[name.endIndex...]
            prefix = String(path[..<name.endIndex])
        }
        self.path = rest.isEmpty ? "/" : prefix.isEmpty ? path : String(Substring(rest))
        let first = String(Substring(rest.dropFirst().prefix { $0 != UInt8(ascii: "/") }))
        home = mounts.contains(first) ? "/" + first : ""
        mount = prefix + home
    }

    /// `/w/blue/hanko/.well-known/NAME` for `/.well-known/NAME/w/blue/hanko`; nil for a path that is not of that form, or that leads
    /// to no platform. Source: RFC 8414 §3.1.
    private static func uninserted(_ path: String, _ mounts: Set<String>) -> String? {
        guard path.hasPrefix("/.well-known/o") else { return nil }
        for document in ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"] {
            guard path.hasPrefix(document + "/") else { continue }
            let issuer = path.dropFirst(document.count)
            let segments = issuer.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            let mount = segments.first == "w" ? segments.dropFirst(2).first : segments.first
            return mount.map { mounts.contains(String($0)) } == true ? issuer + document : nil
        }
        return nil
    }

    /// `hanko.localhost` and `blue--hanko.localhost`.
    fileprivate static func platform(of host: String, _ mounts: Set<String>) -> (
        world: String?, mount: String
    )? {
        guard host != "localhost", host.hasSuffix(".localhost") else { return nil }
        let label = String(host.dropLast(".localhost".count))
        if mounts.contains(label) { return (nil, label) }
        guard let split = label.ranges(of: "--").last else { return nil }
        let mount = String(label[split.upperBound...])
        return mounts.contains(mount) ? (String(label[..<split.lowerBound]), mount) : nil
    }
}

extension Authority {
    /// The authority at which the paths of all platforms hang: without the name of one before `.localhost`.
    func plain(_ mounts: Set<String>) -> String {
        guard Address.platform(of: host, mounts) != nil else { return text }
        return "localhost" + text.dropFirst(host.utf8.count)
    }
}
