import Dispatch
import HTTP
import HTTPClient
import SQLite
import Synchronization
package import Upstream

/// The upstreams of a world, in memory: a world without any pays for one look at a flag.
final class UpstreamBook: Sendable {
    private struct State {
        var servers: [String: UpstreamServer]
        /// Whether they are the world's own, and not those of the program's options.
        var areOwn: Bool
    }

    private let state: Mutex<State>
    private let holdsAny: Atomic<Bool>
    private let settings: UpstreamSettings

    /// - Parameter own: what the world's database says; nil for nothing.
    init(_ own: [String: Upstream]?, _ settings: UpstreamSettings) {
        self.settings = settings
        let servers = settings.servers(own)
        state = Mutex(State(servers: servers, areOwn: own != nil))
        holdsAny = Atomic(!servers.isEmpty)
    }

    var isEmpty: Bool { !holdsAny.load(ordering: .relaxed) }
    var all: [String: UpstreamServer] { state.withLock { $0.servers } }
    var areOwn: Bool { state.withLock { $0.areOwn } }
    var waits: UpstreamWaits { settings.waits }
    var via: String { settings.via }
    var showsSecrets: Bool { settings.showsSecrets }

    /// The one behind the mount that a path begins with.
    func server(for path: String) -> UpstreamServer? {
        if isEmpty { return nil }
        let mount = String(path.dropFirst().prefix { $0 != "/" })
        return state.withLock { $0.servers[mount] }
    }

    func replace(with own: [String: Upstream]?) {
        let servers = settings.servers(own)
        state.withLock { $0 = State(servers: servers, areOwn: own != nil) }
        holdsAny.store(!servers.isEmpty, ordering: .relaxed)
    }
}

/// What all worlds have in common about upstreams.
package struct UpstreamSettings: Sendable {
    /// Those of worlds that say nothing of theirs.
    package var standard: [String: Upstream] = [:] {
        didSet { shared = standard.mapValues { UpstreamServer($0, means) } }
    }
    /// Whether journal and archives keep tokens, passwords and cookies of real people.
    package var showsSecrets = false
    /// Is told of every handler that waits.
    package var waits = UpstreamWaits(begin: {}, end: {})
    /// How this program calls itself to the services. Source: RFC 9110 §7.6.3.
    package let via = "understudy-" + Entropy.system.identifier(for: "kit.upstream")
    /// Of all worlds.
    private let means: UpstreamMeans
    private var shared: [String: UpstreamServer] = [:]

    /// - Parameters:
    ///   - most: requests at once that wait for a service.
    ///   - heldBytes: of answers that are held, in all.
    package init(most: Int = 64, heldBytes: Int = 64 << 20) {
        let clock = DispatchQueue(label: "understudy.upstream.clock")
        means = UpstreamMeans(
            gate: UpstreamGate(most: most, mostBytes: heldBytes),
            // Each holds a thread for as long as it is open, and a message several times for a moment.
            tunnels: UpstreamGate(
                most: min(max(4, most / 4), max(1, heldBytes / (4 * WebSocketUpgrade.messageBytes))),
                mostBytes: 0),
            kept: KeptConnections(
                most: most, time: .init { clock.asyncAfter(deadline: .now() + $0, execute: $1) }),
            mask: ClientWebSocket.Mask {
                Entropy.system.bytes(4, "kit.upstream.mask").reduce(0) { $0 << 8 | UInt32($1) }
            })
    }

    func servers(_ own: [String: Upstream]?) -> [String: UpstreamServer] {
        own.map { $0.mapValues { UpstreamServer($0, means) } } ?? shared
    }
}

extension Database {
    /// Nil where it says nothing of upstreams.
    func upstreams() throws -> [String: Upstream]? { try read { try UpstreamFixture.setting.value(in: $0) } }
}
