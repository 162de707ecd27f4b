import Crypto
import Essentials
import PlatformKit
import Sockets
import Synchronization

/// The certificates that `--tls auto` shows, each made when the first client asks for what it is for, and anew long before it ends.
///
/// All of them are for the names and addresses that are known; one that a client asks for besides, such as `blue--hanko.localhost` or an
/// address that this machine got meanwhile, is added for that client. A wildcard would not do: browsers and OpenSSL take none right below
/// a top-level domain, and rustls none of the certificate where one is in it.
final class ServerCertificates: Sendable {
    /// Seconds after which a certificate is made anew: a third of its life.
    static let renewalSeconds = DevelopmentAuthority.serverSeconds / 3
    /// Different certificates that are kept; a client can make up any number of names.
    private static let mostKept = 256

    private struct Shown {
        let identity: TLSIdentity
        let madeAt: Date
    }

    private let authority: DevelopmentAuthority
    private let key: PrivateKey
    private let keyPEM: String
    /// In every certificate; the authority may sign for all of them.
    let hosts: [String]
    /// Those that it may not sign for.
    let refused: [String]
    private let clock: WallClock
    private let report: @Sendable (String) -> Void
    /// By what is in a certificate beside ``hosts``.
    private let shown = Mutex<[[String]: Shown]>([:])

    /// - Parameters:
    ///   - hosts: names and addresses that are to be in every certificate.
    ///   - report: is told why there is no certificate.
    init(
        _ authority: DevelopmentAuthority, hosts: [String], clock: WallClock = .system,
        report: @escaping @Sendable (String) -> Void
    ) throws {
        self.authority = authority
        self.clock = clock
        self.report = report
        key = try PrivateKey.generate(.ec(.p256))
        keyPEM = try key.pem()
        let now = clock.now()
        self.hosts = try authority.permitted(hosts, at: now)
        refused = hosts.filter { [permitted = Set(self.hosts)] in !permitted.contains($0) }
    }

    func identity(for greeting: TLSGreeting) -> TLSIdentity? {
        do {
            let now = clock.now()
            let more = [greeting.name, greeting.address].compactMap { $0 }.filter(isNew)
            return try shown.withLock { shown in
                if let kept = shown[more], now < kept.madeAt.addingTimeInterval(Self.renewalSeconds),
                    now >= kept.madeAt
                {
                    return kept.identity
                }
                let identity = try make(more, now)
                if shown.count >= Self.mostKept { shown = [:] }
                shown[more] = Shown(identity: identity, madeAt: now)
                return identity
            }
        } catch {
            report("no certificate for \(greeting.name ?? greeting.address ?? "a client"): \(error.sentence)")
            return nil
        }
    }

    private func isNew(_ host: String) -> Bool {
        let isHost = DevelopmentAuthority.isName(host) || DevelopmentAuthority.address(host) != nil
        return isHost && !hosts.contains(host)
    }

    private func make(_ more: [String], _ now: Date) throws -> TLSIdentity {
        let certificate = try authority.issue(
            for: hosts + authority.permitted(more, at: now), key: key.publicKey,
            serialNumber: Entropy.system.bytes(16, "understudy.certificate"), at: now)
        return try TLSIdentity(certificate: certificate.der, key: keyPEM)
    }
}

extension ServeSettings {
    /// What this machine calls itself, in the forms in which others look it up.
    private static var machineNames: [String] {
        let name = System.hostName.asciiLowercased
        let short = String(name.prefix { $0 != "." })
        return [name, short, short + ".local"].filter(DevelopmentAuthority.isName)
    }

    /// Names and addresses that people gave, and those of this machine, for which a new CA is made.
    var namedHosts: [String] {
        let given = allowedHosts.sorted().filter {
            !["0.0.0.0", "::", "[::]"].contains($0)
                && (DevelopmentAuthority.isName($0) || DevelopmentAuthority.address($0) != nil)
        }
        return (given + Self.machineNames).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Names and addresses in every certificate: this machine, as it is called from itself, from containers, by an emulator of Android
    /// (10.0.2.2) and in its networks; a name that was allowed, with those of platforms below it.
    var certificateHosts: [String] {
        let own =
            ["localhost", "127.0.0.1", "::1", "10.0.2.2", "understudy"]
            + ["host.docker.internal", "gateway.docker.internal", "host.containers.internal"]
        let below = allowedHosts.sorted().filter { DevelopmentAuthority.isName($0) && $0.contains(".") }
            .filter { DevelopmentAuthority.address($0) == nil && !$0.hasPrefix("*") }.map { "*." + $0 }
        let all = own + namedHosts + below + NetworkInterfaces.addresses()
        return all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
