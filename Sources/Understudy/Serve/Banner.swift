import Essentials
import PlatformKit
import Platforms
import Sockets
import Upstream

/// What a developer needs to know once the server listens: what to paste where, and who is there.
struct Banner: Sendable, Encodable {
    struct Place: Sendable, Encodable {
        let name: String
        let title: String
        /// `http://localhost:8420/hanko`
        let url: String
        /// The same at a host name of its own: `http://hanko.localhost:8420`; nil where such names lead elsewhere.
        let hostURL: String?
        /// The same at the root of a port of its own: `http://localhost:8421`; nil without `--listen`.
        let rootURL: String?
    }

    /// A port of a world, or of a platform in one.
    struct Door: Sendable, Encodable {
        let name: String
        let url: String
    }

    struct Introduction: Sendable, Encodable {
        let name: String
        let email: String
        let story: String
    }

    struct FixedCode: Sendable, Encodable {
        let to: String
        let code: String
    }

    /// An address of ours, and that of the real service which answers there.
    struct Pair: Sendable, Encodable {
        let mount: String
        let ours: String
        let upstream: String
    }

    struct Clock: Sendable, Encodable {
        let now: String
        let frozen: Bool
    }

    let version: String
    /// Where this machine reaches the server.
    let url: String
    let publicURL: String?
    let socket: String?
    let console: String
    let control: String
    /// Nil where none is asked for.
    let controlToken: String?
    let platforms: [Place]
    /// Ports of worlds.
    let doors: [Door]
    /// How an emulator reaches the server; nil when it does not.
    let androidEmulator: String?
    let iosSimulator: String
    /// How this machine's containers reach the server; nil when they do not.
    let container: String?
    /// Makes `localhost` on an Android emulator or device this machine; nil when that does not help.
    let adbReverse: String?
    /// The certificate of the development CA of `--tls auto`; nil without it.
    let authority: String?
    /// The console as a phone in this network opens it; nil unless `--lan` asked for it.
    let phoneConsole: String?
    /// How other machines reach the server; empty when they do not.
    let network: [String]
    let people: [Introduction]
    /// What the fixtures of the world default fix, which is nothing for real life.
    let fixedCodes: [FixedCode]
    /// The file that options came from.
    let config: String?
    /// What those options open, as options of the command line; a control token is not told here. Empty where they open nothing.
    let configOpens: [String]
    let data: String?
    let seed: UInt64?
    /// Nil while the clock is the real one.
    let clock: Clock?
    /// Host and port that take mail by SMTP.
    let smtp: String?
    /// Real services in the place of platforms; empty where all is emulated.
    let upstreams: [Pair]
    let mailRelay: String?
    let mailFolder: String?

    init(_ server: RunningServer) throws {
        let settings = server.settings
        let scheme = settings.tls == nil ? "http" : "https"
        let port = server.port
        version = Version.number
        url = "\(scheme)://\(Self.ownHost(settings)):\(port)"
        publicURL = settings.publicURL
        socket = settings.socket
        let base = settings.publicURL ?? url
        console = base + "/"
        control = base + "/_understudy/v1"
        controlToken = server.controlToken
        // Names of their own stand for no path.
        let isPlain = base.split(separator: "/").count == 2
        let isLocal = ["http://localhost", "https://localhost"].contains { base.hasPrefix($0) }
        let own = "\(scheme)://\(Self.ownHost(settings))"
        let ports = server.doors.ports
        platforms = Self.places(
            of: Platforms.answering(settings), base, hasNames: isPlain && isLocal
        ) { name in
            ports[name].map { "\(own):\($0)" }
        }
        let mounts = Set(platforms.map(\.name))
        doors = ports.filter { !mounts.contains($0.key) }.sorted { $0.key < $1.key }
            .map { Door(name: $0.key, url: "\(own):\($0.value)") }
        // The emulator's own name for the machine that it runs on.
        androidEmulator = settings.isOnLoopback ? "\(scheme)://10.0.2.2:\(port)" : nil
        iosSimulator = url
        container = settings.isEverywhere ? "\(scheme)://host.docker.internal:\(port)" : nil
        adbReverse = settings.isOnLoopback ? "adb reverse tcp:\(port) tcp:\(port)" : nil
        authority = server.authority?.certificateFile
        network = Self.network(server, scheme)
        phoneConsole = Self.phoneConsole(server, scheme)
        let world = try server.worlds.world(Worlds.defaultName)
        people =
            try world?.people.all().map { Introduction(name: $0.name, email: $0.email, story: $0.story) }
            ?? []
        fixedCodes = try world?.fixedCodes.all.map { FixedCode(to: $0.address, code: $0.code) } ?? []
        config = settings.config
        configOpens = settings.openings
        data = settings.dataFolder
        seed = settings.seed
        clock = world.flatMap(Self.clock)
        smtp = server.mailPort.map { "\(Self.ownHost(settings)):\($0)" }
        upstreams = settings.upstreams.sorted { $0.key < $1.key }.map { [base] mount, upstream in
            Pair(mount: mount, ours: "\(base)/\(mount)", upstream: upstream.url)
        }
        mailRelay = settings.relay.map { "\($0.host):\($0.port)" }
        mailFolder = settings.mailFolder
    }

    /// Base URLs by this machine's addresses: HTTPS where our certificate may name the address, HTTP elsewhere and where it is taken.
    private static func network(_ server: RunningServer, _ scheme: String) -> [String] {
        let settings = server.settings
        return settings.networkAddresses.compactMap { address in
            let isUnsigned = server.unsigned.contains(address)
            if isUnsigned, settings.takesTLSOnly { return nil }
            return "\(isUnsigned ? "http" : scheme)://\(bracketed(address)):\(server.port)"
        }
    }

    /// The console for a phone's camera; nil without `--lan`.
    private static func phoneConsole(_ server: RunningServer, _ scheme: String) -> String? {
        let settings = server.settings
        guard settings.isForLAN,
            let address = settings.isEverywhere
                ? NetworkInterfaces.mainAddress : settings.networkAddresses.first
        else { return nil }
        let token = server.controlToken.map { "?token=\($0)" } ?? ""
        return "\(settings.takesTLSOnly ? scheme : "http")://\(bracketed(address)):\(server.port)/\(token)"
    }

    private static func clock(of world: World) -> Clock? {
        guard world.clock.current != WorldClock.Setting() else { return nil }
        return Clock(now: Timestamp.text(world.clock.now), frozen: world.clock.isFrozen)
    }

    private static func ownHost(_ settings: ServeSettings) -> String {
        let host = settings.host.asciiLowercased
        if settings.isEverywhere || ["localhost", "127.0.0.1"].contains(host) { return "localhost" }
        return bracketed(host)
    }

    private static func bracketed(_ host: String) -> String {
        host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }

    private static func places(
        of platforms: [any Platform.Type], _ base: String, hasNames: Bool, root: (String) -> String?
    ) -> [Place] {
        platforms.flatMap { platform in
            platform.mountPaths.map { path in
                Place(
                    name: path, title: platform.title, url: "\(base)/\(path)",
                    hostURL: hasNames ? base.replacing("//localhost", with: "//\(path).localhost") : nil,
                    rootURL: root(path))
            }
        }
    }
}
