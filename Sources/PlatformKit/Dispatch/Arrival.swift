import Essentials
import HTTP
import Synchronization

/// How a client reached us, or the proxy in front of us, and what our addresses look like from there.
final class Arrival: Sendable {
    let authority: Authority
    /// What the proxy took away from the path.
    let prefix: String
    /// Scheme and authority that the client used.
    let askedOrigin: String
    /// Scheme and authority in what we hand out.
    let origin: String
    /// Where all platforms of the default world are reached, and those of another one unless the client came by its own port.
    let home: String
    /// Where the server calls itself; nil where that is ``home``.
    let ownOrigin: String?
    /// Whether platforms have names below the one that was used.
    let namesPlatforms: Bool

    fileprivate init(
        authority: Authority, prefix: String, askedOrigin: String, origin: String, home: String,
        ownOrigin: String?, namesPlatforms: Bool
    ) {
        self.authority = authority
        self.prefix = prefix
        self.askedOrigin = askedOrigin
        self.origin = origin
        self.home = home
        self.ownOrigin = ownOrigin
        self.namesPlatforms = namesPlatforms
    }
}

/// Tells how clients arrived. What a name means is worked out once, since the same few names come again and again.
final class Arrivals: Sendable {
    /// All that an arrival depends on where no proxy tells anything.
    private struct Name: Hashable {
        let host: String
        let isTrusted: Bool
        let isSecure: Bool
        let door: String?
        let localAuthority: String?
    }

    /// Names that are remembered. Whoever makes up more, below `localhost`, has them worked out each time anew.
    private struct Known {
        private static let limit = 64

        private var arrivals: [Name: Arrival] = [:]
        /// Mostly the same name comes again, and to compare two is less work than to look one up.
        private var last: (name: Name, arrival: Arrival)?

        mutating func find(_ name: Name) -> Arrival? {
            if let last, last.name == name { return last.arrival }
            guard let arrival = arrivals[name] else { return nil }
            last = (name, arrival)
            return arrival
        }

        mutating func keep(_ arrival: Arrival, _ name: Name) {
            if arrivals.count < Self.limit { arrivals[name] = arrival }
        }
    }

    private let settings: DispatcherSettings
    private let mounts: Set<String>
    /// Scheme and authority of the public URL.
    private let publicOrigin: String?
    /// Whether platforms have names below that of the public URL; nil without one.
    private let publicNamesPlatforms: Bool?
    private let known = Mutex(Known())

    /// - Parameter mounts: the first path segments that belong to platforms.
    init(_ settings: DispatcherSettings, mounts: Set<String>) {
        self.settings = settings
        self.mounts = mounts
        publicOrigin = settings.publicURL.map(Self.origin)
        publicNamesPlatforms = publicOrigin.map { origin in
            let authority = Authority(origin.split(separator: "/").dropFirst().joined(separator: "/"))
            return settings.hosts.hasPlatforms(below: authority.host)
        }
    }

    /// The name by which the client reached us: its own, and the one that a proxy tells, have to be ours both.
    ///
    /// - Throws: ``HostRefused``.
    func arrival(of request: Request) throws(HostRefused) -> Arrival {
        let isTrusted = isTrusted(request.peer)
        let told = isTrusted ? try Forwarding(request.headers) : .none
        let host = request.headers["Host"] ?? "localhost"
        guard told.isNothing else { return try make(host, request.peer, told) }
        let peer = request.peer
        let name = Name(
            host: host, isTrusted: isTrusted, isSecure: peer.isSecure, door: peer.door,
            localAuthority: peer.localAuthority)
        if let arrival = known.withBriefLock({ $0.find(name) }) { return arrival }
        let arrival = try make(host, peer, told)
        known.withBriefLock { $0.keep(arrival, name) }
        return arrival
    }

    private func make(_ host: String, _ peer: Request.Peer, _ told: Forwarding) throws(HostRefused) -> Arrival
    {
        let own = try allowed(host)
        let scheme = told.scheme ?? (peer.isSecure ? "https" : "http")
        let text = told.authority(own.text, scheme: scheme)
        let isForwarded = text != own.text
        let authority = isForwarded ? try allowed(text) : own
        let origin = scheme + "://" + authority.text
        let prefix = told.prefix ?? (isTrusted(peer) ? publicPrefix(origin) : "")
        let door = isForwarded ? nil : peer.door.flatMap { Doorway($0, mounts: mounts) }
        return Arrival(
            authority: authority, prefix: prefix, askedOrigin: origin, origin: publicOrigin ?? origin,
            home: scheme + "://" + home(authority, door, scheme) + prefix, ownOrigin: ownOrigin(of: peer),
            namesPlatforms: publicNamesPlatforms
                ?? settings.hosts.hasPlatforms(below: authority.base(mounts, settings.hosts)))
    }

    /// Where all platforms are reached by the client: at the name that it asked, without the label of a platform, and at the main port;
    /// at the port of a world by that. Behind a proxy that tells another name, nobody knows its name for the main port.
    private func home(_ authority: Authority, _ door: Doorway?, _ scheme: String) -> String {
        guard let door, !door.isWhole, let main = settings.doors.main else {
            return authority.plain(mounts, settings.hosts)
        }
        return authority.at(port: main, scheme: scheme)
    }

    private func ownOrigin(of peer: Request.Peer) -> String? {
        guard let scheme = settings.ownScheme, let own = peer.localAuthority else { return nil }
        guard peer.door != nil, let main = settings.doors.main else { return scheme + "://" + own }
        return scheme + "://" + Authority(own).at(port: main, scheme: scheme)
    }

    private func isTrusted(_ peer: Request.Peer) -> Bool {
        peer.isLoopback || settings.trustedProxies.contains(peer.address)
    }

    /// The path of the public URL, when the client came by it.
    private func publicPrefix(_ origin: String) -> String {
        guard let url = settings.publicURL, url.asciiLowercased.hasPrefix(origin.asciiLowercased + "/") else {
            return ""
        }
        return String(Substring(url.utf8.dropFirst(origin.utf8.count)))
    }

    /// Scheme and authority of a URL.
    private static func origin(_ url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/")
    }

    private func allowed(_ text: String) throws(HostRefused) -> Authority {
        let authority = Authority(text)
        guard HostName.isName(authority.host) || HostName.isIPv6Literal(authority.host) else {
            throw .nameless(authority.text)
        }
        guard
            settings.hosts.allows(authority.host)
                || settings.hosts.platform(of: authority.host, mounts) != nil
        else { throw .foreign(authority.host) }
        return authority
    }
}
