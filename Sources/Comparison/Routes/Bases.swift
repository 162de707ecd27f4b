import Essentials
import PlatformKit

/// Where the services of a recording stood, and what of ours each of them is.
package struct Bases: Sendable {
    /// The start of a recorded address, without a slash at its end, and the mount that stands for it.
    struct Base: Sendable, Hashable {
        let url: String
        let mount: String
    }

    /// A recorded address as one of ours.
    struct Place {
        let mount: String
        /// Below the mount: empty, or beginning with a slash.
        let path: String
        let query: String?
    }

    private(set) var bases: Set<Base> = []
    private var byOrigin: [String: [Base]] = [:]
    /// Mounts whose place people said, or that is ours.
    private var named: Set<String> = []
    /// Starts of recorded addresses below which all mounts stand by their own names, as in a recording of this program.
    private(set) var roots: Set<String> = []
    /// The addresses that proxies told, with scheme and host of the services behind them.
    private var fronts: Set<Front> = []

    private struct Front: Hashable {
        let origin: String
        let told: ToldAddress
    }

    /// - Parameters:
    ///   - given: what people said, `(mount, url)`.
    ///   - only: the platforms that are meant; empty for all.
    /// - Throws: ``RecordingUnreadable`` where a service could be several of ours.
    package init(
        of exchanges: [Exchange], _ book: RouteBook, given: [(mount: String, url: String)] = [],
        only: Set<String> = []
    ) throws(RecordingUnreadable) {
        for (mount, url) in given { add(Base(url: Self.bare(url), mount: mount)) }
        let mounts = book.mounts.filter { only.isEmpty || only.contains(book.platforms[$0] ?? "") }
        var open: [String: [(method: String, path: String)]] = [:]
        for exchange in exchanges {
            guard place(of: exchange.request.url) == nil, let address = WebAddress(exchange.request.url)
            else { continue }
            if let base = Self.ownBase(address, exchange.request.method, mounts, book) {
                add(Base(url: base.root + "/" + base.mount, mount: base.mount))
                roots.insert(base.root)
            } else {
                open[address.origin, default: []].append((exchange.request.method, address.path))
            }
        }
        for (origin, requests) in open.sorted(by: { $0.key < $1.key }) where !roots.contains(origin) {
            if let mount = try guess(origin, requests, mounts, book) {
                bases.insert(Base(url: origin, mount: mount))
            }
        }
        byOrigin = Dictionary(grouping: bases) { WebAddress($0.url)?.origin ?? "" }
        for exchange in exchanges where place(of: exchange.request.url) != nil {
            guard let told = exchange.told, let address = WebAddress(exchange.request.url) else { continue }
            fronts.insert(Front(origin: address.origin, told: told))
        }
    }

    private mutating func add(_ base: Base) {
        guard bases.insert(base).inserted else { return }
        named.insert(base.mount)
        byOrigin[WebAddress(base.url)?.origin ?? "", default: []].append(base)
    }

    private static func bare(_ url: String) -> String { url.hasSuffix("/") ? String(url.dropLast()) : url }

    /// Of an address whose first segments are those of this program: `/hanko/…`, `/w/NAME/hanko/…`.
    private static func ownBase(
        _ address: WebAddress, _ method: String, _ mounts: [String], _ book: RouteBook
    ) -> (root: String, mount: String)? {
        let segments = address.path.split(separator: "/").map(String.init)
        let skipped = segments.first == "w" && segments.count > 2 ? 2 : 0
        guard segments.count > skipped, mounts.contains(segments[skipped]) else { return nil }
        let mount = segments[skipped]
        let root = address.origin + segments.prefix(skipped).map { "/" + $0 }.joined()
        let path = String(address.path.dropFirst(root.count - address.origin.count + mount.count + 1))
        return book.weight(mount, method, path) == nil ? nil : (root, mount)
    }

    /// The mount that knows most of what was asked of a service; nil where none knows anything that tells, or the service of one that does is known.
    private func guess(
        _ origin: String, _ requests: [(method: String, path: String)], _ mounts: [String], _ book: RouteBook
    ) throws(RecordingUnreadable) -> String? {
        // The sample app stands nowhere but here.
        let scores = mounts.filter { $0 != RouteBook.sampleApp }.map { mount in
            (mount, requests.reduce(0) { $0 + (book.weight(mount, $1.method, $1.path) ?? 0) })
        }
        guard let best = scores.map(\.1).max(), best > 0 else { return nil }
        let found = scores.filter { $0.1 == best }.map(\.0)
        if found.contains(where: { mount in named.contains(mount) }) { return nil }
        guard found.count == 1 else {
            throw RecordingUnreadable(
                "the requests to \(origin) could be for \(found.joined(separator: " or ")); say which: --base \(found[0])=\(origin)"
            )
        }
        return found[0]
    }

    /// Nil for an address that is none of ours.
    func place(of url: String) -> Place? {
        let near = byOrigin[WebAddress(url)?.origin ?? ""] ?? []
        guard
            let base = near.filter({ Self.begins(url, with: $0.url) }).max(by: {
                $0.url.count < $1.url.count
            })
        else { return nil }
        let target = WebAddress(reference: String(url.dropFirst(base.url.count)))
        return Place(mount: base.mount, path: target.path, query: target.query)
    }

    private static func begins(_ url: String, with base: String) -> Bool {
        guard url.asciiLowercased.hasPrefix(base.asciiLowercased) else { return false }
        return url.dropFirst(base.count).first.map { "/?#".contains($0) } ?? true
    }

    /// What stands for recorded addresses in a world of ours, longer ones first.
    ///
    /// - Parameter world: base URL of the world, without a slash at its end.
    func pairs(to world: String) -> [(recorded: String, ours: String)] {
        let plain = bases.map { ($0.url, world + "/" + $0.mount) } + roots.map { ($0, world) }
        let whole = plain + fronts.flatMap { front in plain.compactMap { seen($0, through: front) } }
        let sockets = whole.map { (Self.socket($0.0), Self.socket($0.1)) }
        return (whole + sockets).sorted { ($1.0.count, $0.0) < ($0.0.count, $1.0) }.map {
            (recorded: $0.0, ours: $0.1)
        }
    }

    /// A pair as the client of a proxy has it; nil for a service that is not behind that one.
    private func seen(_ pair: (String, String), through front: Front) -> (String, String)? {
        guard let address = WebAddress(pair.0), address.origin == front.origin else { return nil }
        let told = front.told
        return (
            told.scheme + "://" + told.authority.asciiLowercased + told.prefix + address.path,
            Self.seen(pair.1, through: told)
        )
    }

    /// An address of ours as the client of a proxy has it, which calls us by our own name; others stay as they are.
    private static func seen(_ ours: String, through told: ToldAddress) -> String {
        WebAddress(ours).map { told.scheme + "://" + $0.authority + told.prefix + $0.path } ?? ours
    }

    /// The addresses of a world of ours: its own, and those through each proxy.
    func addresses(of world: String) -> [String] {
        [world] + Set(fronts.map { Self.seen(world, through: $0.told) }).subtracting([world]).sorted()
    }

    /// The paths below which the service of a place stands there and in a world of ours, for the client of a request.
    func paths(_ place: Place, _ told: ToldAddress?, world: String) -> (recorded: String, ours: String) {
        let base = bases.first { $0.mount == place.mount }
        let prefix = told?.prefix ?? ""
        return (
            prefix + (base.flatMap { WebAddress($0.url)?.path } ?? ""),
            prefix + (WebAddress(world)?.path ?? "") + "/" + place.mount
        )
    }

    private static func socket(_ url: String) -> String {
        url.hasPrefix("http") ? "ws" + url.dropFirst(4) : url
    }
}
