import HTTP

/// What a request's host and path say about where it wants to go, and under which URL the client reached us.
///
/// Four forms lead to the same endpoint: `/hanko/users`, `/users` at the host `hanko.localhost` or at a port of the platform's own, and
/// each of them in a world: `/w/blue/hanko/users`, `blue--hanko.localhost`, the port `blue/hanko`. Beside them, a metadata document has the form of RFC 8414 §3.1, where
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
    ///   - hosts: tells which host names lead to platforms.
    ///   - door: where the port leads to, which counts more than the host; nil for the main one.
    init(
        host: String, path: String, mounts: Set<String>, hosts: HostRule = HostRule(), door: Doorway? = nil
    ) {
        if let door {
            self.init(door, path: path, mounts: mounts)
            return
        }
        if let (world, mount, _) = hosts.platform(of: host, mounts) {
            self.init(rootOf: mount, world: world, path: path)
            return
        }
        let path = Self.uninserted(path, mounts) ?? path
        var rest = path.utf8[...]
        var prefix = ""
        var world: String?
        if rest.starts(with: "/w/".utf8) {
            let name = rest.dropFirst(3).prefix { $0 != UInt8(ascii: "/") }
            world = String(Substring(name))
            rest = rest[name.endIndex...]
            prefix = String(path[..<name.endIndex])
        }
        let routed = rest.isEmpty ? "/" : prefix.isEmpty ? path : String(Substring(rest))
        let home = Self.home(of: rest, mounts)
        self.init(world: world, path: routed, mount: prefix + home, home: home)
    }

    private init(world: String?, path: String, mount: String, home: String) {
        (self.world, self.path, self.mount, self.home) = (world, path, mount, home)
    }

    /// `/hanko` of `/hanko/users`; empty where no platform is meant.
    private static func home(of path: Substring.UTF8View, _ mounts: Set<String>) -> String {
        let segment = path.dropFirst().prefix { $0 != UInt8(ascii: "/") }
        return mounts.contains(String(Substring(segment)))
            ? String(Substring(path[..<segment.endIndex])) : ""
    }

    private init(rootOf mount: String, world: String?, path: String) {
        // Control API and console answer at every host name and port.
        let isOurs = path.hasPrefix("/_understudy/") || path.hasPrefix("/_console/")
        self.init(world: world, path: isOurs ? path : "/" + mount + path, mount: "", home: "/" + mount)
    }

    private init(_ door: Doorway, path: String, mounts: Set<String>) {
        if let mount = door.mount {
            self.init(rootOf: mount, world: door.world, path: path)
            return
        }
        let path = Self.uninserted(path, mounts) ?? path
        let home = Self.home(of: path.utf8[...], mounts)
        self.init(world: door.world, path: path, mount: home, home: home)
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
}

extension Address {
    /// The path with every row of slashes as one, where it leads below one of `homes`.
    func path(merging homes: Set<String>) -> String {
        guard path.hasRowOfSlashes, homes.contains(home) else { return path }
        var merged = ""
        for character in path where character != "/" || !merged.hasSuffix("/") { merged.append(character) }
        return merged
    }
}

extension String {
    fileprivate var hasRowOfSlashes: Bool {
        var isBehindSlash = false
        for byte in utf8 {
            let isSlash = byte == UInt8(ascii: "/")
            if isSlash, isBehindSlash { return true }
            isBehindSlash = isSlash
        }
        return false
    }
}

extension Authority {
    /// The authority at which the paths of all platforms hang: without the label of one before the name of ours.
    func plain(_ mounts: Set<String>, _ hosts: HostRule) -> String {
        guard let (_, _, base) = hosts.platform(of: host, mounts) else { return text }
        return base + text.dropFirst(host.utf8.count)
    }

    /// The host alone, without the label of a platform.
    func base(_ mounts: Set<String>, _ hosts: HostRule) -> String {
        hosts.platform(of: host, mounts)?.base ?? host
    }

    /// The same host at another port.
    func at(port: Int, scheme: String) -> String {
        let name = text.hasPrefix("[") ? host : String(text.prefix { $0 != ":" })
        return port == (scheme == "https" ? 443 : 80) ? name : name + ":\(port)"
    }
}
