import Console
import HTTP
import HTTPClient
import HTTPServer
import MailServer
import Phone
import PlatformKit
import Platforms
import SQLite
import Sockets
import Upstream

/// Worlds, listeners and the queue of outgoing mail, from a successful start to a clean stop.
struct RunningServer: Sendable {
    /// Seconds that requests in flight get to finish.
    static let grace = 5.0
    /// Seconds that receivers of callbacks get to answer after that.
    static let callbackGrace = 1.0
    /// Seconds that a mail server gets to finish after that; container systems kill after 10 in all.
    static let mailGrace = 2.0

    let settings: ServeSettings
    let worlds: Worlds
    let bound: [BoundAddress]
    /// What the control API asks for; nil where nobody else can reach it.
    let controlToken: String?
    /// The CA of `--tls auto`; nil without it.
    let authority: AuthorityFolder?
    /// Addresses of ours for which that CA may not sign.
    let unsigned: Set<String>
    let doors = ListeningPorts()
    /// Where mail is taken; nil when it is not.
    let mailPort: Int?
    private let server: HTTPServer
    private let mailServer: MailServer?
    private let forwarder: MailForwarder?
    private let phones = PhoneCenter(Platforms.sections)
    private let comparisons = ComparisonCenter()

    /// Reads the fixtures, opens the worlds, listens. When it returns, the first request is answered.
    ///
    /// - Throws: ``Failure``, `FixtureError`, `WorldError`.
    init(_ settings: ServeSettings, _ terminal: Terminal) throws {
        self.settings = settings
        Self.tellOpenings(settings, terminal)
        Self.tellUpstreams(settings, terminal)
        System.shareMemoryPools()
        let plan = MemoryPlan(limit: MemoryLimit.ofThisProcess, bodies: settings.bodyMemory)
        if let pages = plan.pages { MemoryPages.limit(bytes: pages) }
        let memory = MemoryBudget(most: plan.bodies)
        forwarder = try Self.forwarder(settings)
        let waits = HandlerWaits()
        let tls = try TLSSetup(settings, terminal)
        (authority, unsigned) = (tls.folder, tls.unsigned)
        let made = try Self.worlds(
            settings, plan, forwarder, phones, tls.certificates, waits, terminal)
        worlds = made.worlds
        controlToken = settings.controlToken ?? (settings.isLoopback ? nil : Self.makeToken())
        let figures = LateFigures()
        let work = plan.pages == nil ? WorkMemory.unlimited : WorkMemory(memory)
        let dispatcher = try Self.dispatcher(
            settings, worlds, phones, comparisons, tls, doors, figures, work, controlToken,
            terminal)
        let log = settings.log.map { AccessLog(form: $0, write: terminal.writeError) }
        var limits = Limits()
        plan.apply(to: &limits)
        limits.connections = settings.connections ?? limits.connections
        try Self.expectDescriptors(for: limits.connections, settings)
        server = HTTPServer(
            limits: limits, memory: memory, tls: tls.context, takesTLSOnly: settings.takesTLSOnly,
            responder: Answering(dispatcher: dispatcher, log: log), waits: waits)
        figures.set(server)
        do {
            bound = try server.start(
                on: settings.listenAddresses,
                doors: settings.doors.map { Door($0.name, at: settings.listenAddress(port: $0.port)) },
                isOpen: { [doors] main, others in
                    doors.set(
                        main: Self.port(of: main), ports: others.compactMapValues { Self.port(of: [$0]) })
                })
        } catch let error as SocketError {
            throw Failure(Self.explain(error, settings))
        }
        do {
            (mailServer, mailPort) = try Self.mailServer(
                settings, plan, memory, worlds, tls.context)
            doors.set(mail: mailPort)
        } catch let error as SocketError {
            server.stop(grace: 0)
            throw Failure(Self.explainMail(error, settings))
        }
        if let own = Self.ownOrigin(bound, settings, tls) {
            phones.begin(worlds, at: own, token: controlToken)
            let place = ComparisonPlace(
                worlds: worlds, server: own, token: controlToken,
                trust: tls.certificates.map { .certificates(pem: $0) } ?? .system)
            let served = ServedComparison(place: place, handsMailOn: settings.relay != nil)
            comparisons.begin(
                served.outcome, delete: { [worlds] in try worlds.delete($0) }, work: work)
        }
        // Requests are answered already.
        made.keep()
    }

    /// Whoever starts a server in a folder may not know what the file there opens.
    private static func tellOpenings(_ settings: ServeSettings, _ terminal: Terminal) {
        guard let config = settings.config, !settings.openings.isEmpty else { return }
        let what = settings.openings.map { Columns.plain($0) }.joined(separator: ", ")
        terminal.complain(
            "understudy: \(config) opens this server: \(what); --config none leaves the file out")
    }

    /// What is not emulated concerns somebody's real service, and real people.
    private static func tellUpstreams(_ settings: ServeSettings, _ terminal: Terminal) {
        for (mount, upstream) in settings.upstreams.sorted(by: { $0.key < $1.key }) {
            let line = "/\(mount) is NOT emulated: its requests go to the real service \(upstream.url)"
            terminal.complain("understudy: " + terminal.red(line))
        }
        guard !settings.upstreams.isEmpty, settings.showsSecrets else { return }
        terminal.complain(
            "understudy: "
                + terminal.red("--show-secrets: tokens and passwords of these services are kept and exported")
        )
    }

    /// Long polls go home first, then what is in flight is finished, then callbacks and mail under way.
    func stop() {
        comparisons.stop(seconds: Self.callbackGrace)
        worlds.close()
        // Both at once: container systems do not wait for one after the other.
        let ending = try? Thread { [mailServer] in mailServer?.stop(grace: Self.grace) }
        server.stop(grace: Self.grace)
        if let ending { ending.join() } else { mailServer?.stop(grace: 0) }
        phones.stop(seconds: Self.callbackGrace)
        RSAKeys.shared.rest(seconds: Self.callbackGrace)
        worlds.finishCallbacks(seconds: Self.callbackGrace)
        stopForwarding()
    }

    /// The TCP port, whichever the system picked.
    var port: Int { Self.port(of: bound) ?? settings.port }

    private static func port(of bound: [BoundAddress]) -> Int? {
        for case .tcp(_, let port) in bound { return port }
        return nil
    }

    /// A mail server that does not answer must not keep the program from ending.
    private func stopForwarding() {
        let isDone = Wakeup()
        do {
            try Thread { [forwarder] in
                forwarder?.stop()
                isDone.call()
            }.detach()
            isDone.wait(seconds: Self.mailGrace)
        } catch {
            // Without a thread there is no waiting either: the program ends now.
        }
    }

    /// - Throws: ``Failure`` when more connections are asked for than the system allows this program; fewer are not what was asked for.
    private static func expectDescriptors(for connections: Int, _ settings: ServeSettings) throws {
        let most = System.mostDescriptors
        // Some are for listeners, data files, the poller and calls of our own.
        guard settings.connections != nil, connections > most - 64 else { return }
        throw Failure(
            "--max-connections \(connections): this system allows the program \(most) open files (ulimit -Hn), enough for \(max(1, most - 64)) connections"
        )
    }

    private static func makeToken() -> String {
        Entropy.system.identifier(for: "understudy.token")
            + Entropy.system.identifier(for: "understudy.token")
    }
}
