import Essentials
import HTTP
import PlatformKit
import Sockets
import Upstream

/// What `serve` and `exec` were told, checked.
struct ServeSettings: Sendable {
    enum Log: String, Sendable, CaseIterable {
        case text, json
    }

    enum TLS: Sendable, Equatable {
        /// Certificates of a development CA of our own.
        case auto
        /// Two PEM files.
        case files(certificate: String, key: String)
    }

    /// A port at whose root a platform or a world stands.
    struct Door: Sendable, Equatable {
        /// `app`, `blue/hanko` or `blue`.
        let name: String
        let port: Int
    }

    /// The file that some of it comes from.
    let config: String?
    /// What of it opens the server further than it would be otherwise: `--host 0.0.0.0`.
    private(set) var openings: [String] = []
    var host: String
    var port: Int
    var doors: [Door]
    /// Whether everything was set up for phones in this network.
    let isForLAN: Bool
    var socket: String?
    var publicURL: String?
    var fixesBackChannel: Bool
    var explains: Bool
    /// Which of several programs behind one proxy this is.
    let instance: String?
    var allowedHosts: Set<String>
    var trustedProxies: Set<String>
    var tls: TLS?
    /// Whether plain HTTP is refused where TLS is spoken.
    var takesTLSOnly: Bool
    /// What was given; whether one is needed is the listener's affair.
    var controlToken: String?
    /// Empty for the built-in ones.
    var fixtures: [String]
    /// Whether what is made of them may be kept for the next start.
    var keepsFixtures: Bool
    var dataFolder: String?
    var seed: UInt64?
    var worldIdleSeconds: Double?
    /// Nil takes no mail.
    var smtpPort: Int?
    var relay: HostAndPort?
    var mailFolder: String?
    /// Whether text messages are taken as Twilio takes them.
    var takesTwilio: Bool
    /// Real services in the place of platforms, by mount.
    var upstreams: [String: Upstream]
    /// Whether what is secret about them is kept.
    var showsSecrets: Bool
    var webFolder: String?
    var connections: Int?
    /// Bytes.
    var bodyMemory: Int?
    var log: Log?
    /// Whether the journal is to have bodies whole, for a file.
    var isRecording = false

    /// - Throws: ``UsageError``.
    init(_ invocation: Invocation) throws {
        config = invocation.config
        isForLAN = invocation.flag(.lan)
        host = invocation.text(.host) ?? (isForLAN ? "0.0.0.0" : "localhost")
        port = try invocation.number(.port, in: 0...65_535) ?? 8420
        doors = try invocation.doors(besides: port, all: isForLAN)
        socket = invocation.text(.socket)
        publicURL = try invocation.publicURL()
        fixesBackChannel = invocation.flag(.fixedBackChannel)
        explains = invocation.flag(.explain)
        instance = try invocation.instance()
        guard !fixesBackChannel || publicURL != nil else {
            throw UsageError("--fixed-back-channel needs --public-url")
        }
        allowedHosts = Set(try invocation.hostNames())
        trustedProxies = Set(try invocation.addresses(.trustedProxy))
        tls = try invocation.tls() ?? (isForLAN ? .auto : nil)
        takesTLSOnly = invocation.flag(.tlsOnly)
        guard !takesTLSOnly || tls != nil else {
            throw UsageError("--tls-only needs --tls")
        }
        controlToken = try invocation.token()
        fixtures = invocation.texts(.fixtures)
        keepsFixtures = !invocation.flag(.noCache)
        dataFolder = invocation.text(.data)
        seed = try invocation.number(.seed, in: 0...UInt64.max)
        worldIdleSeconds = try invocation.seconds(.worldTTL)
        if let seconds = worldIdleSeconds, seconds < 1 {
            throw invocation.refusal(of: .worldTTL, "at least 1s")
        }
        smtpPort = try invocation.number(.smtpPort, in: 0...65_535)
        relay = try invocation.hostAndPort(.smtpRelay)
        mailFolder = invocation.text(.outboxDir)
        takesTwilio = invocation.flag(.twilio)
        upstreams = try invocation.upstreams()
        showsSecrets = invocation.flag(.showSecrets)
        webFolder = invocation.text(.web)
        connections = try invocation.number(.maxConnections, in: 1...1_000_000)
        bodyMemory = try invocation.bytes(.bodyMemory)
        log = try invocation.choice(.log)
        if let name = publicURL.flatMap(Self.host(of:)) { allowedHosts.insert(name) }
        if HostName.isName(host) { allowedHosts.insert(host.asciiLowercased) }
        guard !isForLAN || !isLoopback else {
            throw UsageError(
                "--lan is for other devices, but --host \(host) is for this machine only; leave one out")
        }
        openings = invocation.openings(onLoopback: isLoopback)
    }

    /// Whether nobody but this machine can reach us.
    var isLoopback: Bool {
        let name = host.asciiLowercased
        return name == "localhost" || name.hasSuffix(".localhost") || name == "::1" || name == "[::1]"
            || name.hasPrefix("127.") && HostName.isIPv4(name)
    }

    /// Whether every network of this machine reaches us.
    var isEverywhere: Bool { ["0.0.0.0", "::", "[::]", "*"].contains(host) }

    /// At which other machines reach us; empty when they do not.
    var networkAddresses: [String] {
        guard isEverywhere else {
            return isLoopback ? [] : [host.filter { $0 != "[" && $0 != "]" }]
        }
        // 0.0.0.0 takes IPv4 alone.
        return NetworkInterfaces.addresses().filter { host != "0.0.0.0" || !$0.contains(":") }
    }

    /// Whether `localhost` leads here.
    var isOnLoopback: Bool { isEverywhere || ["localhost", "127.0.0.1"].contains(host.asciiLowercased) }

    func listenAddress(port: Int) -> ListenAddress { .tcp(host: host == "*" ? "::" : host, port: port) }

    var listenAddresses: [ListenAddress] {
        let tcp = listenAddress(port: port)
        return [tcp] + (socket.map { [.unix(path: $0)] } ?? [])
    }

    var mailAddresses: [ListenAddress] {
        smtpPort.map { [.tcp(host: host == "*" ? "::" : host, port: $0)] } ?? []
    }

    private static func host(of url: String) -> String? {
        url.ranges(of: "://").first.map { url[$0.upperBound...].prefix { $0 != "/" } }.map { authority in
            authority.hasPrefix("[")
                ? String(authority.prefix { $0 != "]" }) + "]" : String(authority.prefix { $0 != ":" })
        }?.asciiLowercased
    }
}

/// A TCP place, such as `mail:1025` or `[::1]:1025`.
struct HostAndPort: Sendable, Equatable {
    let host: String
    let port: Int

    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65_535).contains(port)
        else { return nil }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let name = isBracketed ? host.dropFirst().dropLast() : host
        guard !name.isEmpty, isBracketed || !name.contains(":"), !name.contains("/"), !name.contains(" ")
        else { return nil }
        self.host = String(name)
        self.port = port
    }
}
