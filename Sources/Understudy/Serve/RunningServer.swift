import Console
import Embedded
import Essentials
import HTTP
import HTTPClient
import HTTPServer
import Mail
import MailServer
import Phone
import PlatformKit
import Platforms
import SQLite
import Sockets
import Synchronization
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

extension RunningServer {
    /// - Returns: also what remains to be done once the first request can be answered.
    private static func worlds(
        _ settings: ServeSettings, _ plan: MemoryPlan, _ forwarder: MailForwarder?, _ phones: PhoneCenter,
        _ certificates: String?, _ waits: HandlerWaits, _ terminal: Terminal
    ) throws -> (worlds: Worlds, keep: () -> Void) {
        var kept = Worlds.Settings(builtInFixtures: try FixtureFiles.builtIn())
        plan.apply(to: &kept)
        kept.dataFolder = settings.dataFolder
        kept.seed = settings.seed
        if settings.isRecording { kept.journalRoom = .recording }
        kept.idleSeconds = settings.worldIdleSeconds ?? kept.idleSeconds
        kept.forwarder = forwarder
        kept.pushed = { phones.deliver($1, in: $0) }
        kept.duties = phones.duties
        kept.certificates = certificates
        kept.giveBackMemory = { System.giveBackMemory() }
        kept.waits = WaitNotice(begin: waits.begin, end: waits.end)
        kept.upstreams.standard = settings.upstreams
        kept.upstreams.showsSecrets = settings.showsSecrets
        kept.upstreams.waits = UpstreamWaits(begin: waits.begin, end: waits.end)
        do {
            try settings.dataFolder.map(DataFolder.check)
            let variables = FixtureFiles.text(from: terminal.environment)
            if variables == nil, FixtureFiles.areBuiltIn(settings.fixtures), let content = CarriedWorld.own {
                return (try Worlds(sections: Platforms.sections, content: content, settings: kept), {})
            }
            let cache = settings.keepsFixtures ? FixtureCache(environment: terminal.environment) : nil
            let texts = try FixtureFiles.texts(settings.fixtures) + (variables.map { [$0] } ?? [])
            return try worlds(of: texts, kept, cache)
        } catch let error as CocoaError {
            throw Failure("cannot use the data folder \(settings.dataFolder ?? ""): \(error.sentence)")
        }
    }

    /// Of the database that an earlier start made of the same files, or of the files.
    private static func worlds(
        of texts: [FixtureFiles.Text], _ settings: Worlds.Settings, _ cache: FixtureCache?
    ) throws -> (worlds: Worlds, keep: () -> Void) {
        let origin = cache?.origin(of: texts)
        if let cache, let origin, let content = cache.find(origin) {
            return (try Worlds(sections: Platforms.sections, content: content, settings: settings), {})
        }
        let made = try Worlds(
            sections: Platforms.sections, fixtures: FixtureFiles.load(texts), settings: settings)
        return (made, { if let cache, let origin { cache.keep(made.content, as: origin) } })
    }

    private static func forwarder(_ settings: ServeSettings) throws -> MailForwarder? {
        let relay = settings.relay.map { SMTPClient(host: $0.host, port: $0.port).destination }
        let folder = try settings.mailFolder.map { try MailFolder(path: $0).destination }
        let destinations = [folder, relay].compactMap { $0 }
        return destinations.isEmpty ? nil : MailForwarder(destinations)
    }

    /// - Throws: ``SocketError`` when the port cannot be had.
    private static func mailServer(
        _ settings: ServeSettings, _ plan: MemoryPlan, _ memory: MemoryBudget, _ worlds: Worlds,
        _ tls: TLSContext?
    ) throws -> (MailServer?, port: Int?) {
        guard !settings.mailAddresses.isEmpty else { return (nil, nil) }
        var limits = MailLimits()
        plan.apply(to: &limits)
        let responder = MailIntake(worlds: worlds, token: Entropy.system.identifier(for: "understudy.mail"))
        let server = MailServer(limits: limits, memory: memory, tls: tls, receiver: responder)
        let bound = try server.start(on: settings.mailAddresses)
        for case .tcp(_, let port) in bound { return (server, port) }
        return (server, nil)
    }

    private static func dispatcher(
        _ settings: ServeSettings, _ worlds: Worlds, _ phones: PhoneCenter,
        _ comparisons: ComparisonCenter, _ tls: TLSSetup,
        _ doors: ListeningPorts, _ figures: LateFigures,
        _ work: WorkMemory, _ token: String?, _ terminal: Terminal
    ) throws -> Dispatcher {
        var rules = Dispatcher.Settings()
        rules.publicURL = settings.publicURL
        rules.fixesBackChannel = settings.fixesBackChannel
        rules.explains = settings.explains
        // The certificates of our own CA are for addresses too.
        if settings.takesTLSOnly { rules.ownScheme = tls.folder == nil ? nil : "https" }
        rules.controlToken = ControlToken(token)
        rules.hosts = HostRule(allowedNames: settings.allowedHosts)
        rules.doors = doors
        rules.trustedProxies = settings.trustedProxies
        rules.work = work
        rules.report = { terminal.complain("understudy: " + $0) }
        let console = Console(
            worlds: worlds,
            info: ConsoleInfo(
                version: Version.number, instance: settings.instance,
                platforms: Platforms.answering(settings),
                lanAddresses: settings.networkAddresses,
                reach: Reach(
                    isOnLoopback: settings.isOnLoopback, isEverywhere: settings.isEverywhere,
                    takesTLSOnly: settings.takesTLSOnly, unsigned: tls.unsigned),
                doors: doors, authority: tls.profile, work: work,
                counts: rules.counts, figures: { figures.now },
                storageFault: { [folder = settings.dataFolder] in folder.flatMap(DataFolder.fault) },
                fixtureSchema: { FixtureFiles.schema }),
            web: try webFiles(settings.webFolder), access: ControlAccess(token: token),
            phones: phones, comparisons: comparisons)
        rules.lostPage = { console.lostPage($0, in: $1) }
        rules.worldlessPage = { console.worldlessPage($0, name: $1) }
        rules.problemPage = { console.problemPage($0, in: $1, $2, $3) }
        return Dispatcher(
            worlds: worlds, platforms: Platforms.answering(settings), settings: rules,
            extend: { console.mount(on: &$0) })
    }

    /// Bytes of a file of the console.
    private static let webLimit = 16 << 20

    /// The pages in the binary, or in a folder, from which each request reads anew: edit and reload.
    private static func webFiles(_ folder: String?) throws -> WebFiles {
        guard let folder else { return WebFiles { EmbeddedFile.at("Web/" + $0)?.bytes } }
        let read: @Sendable (String) throws -> [UInt8] = { name in
            try BoundedFile.bytes(
                at: folder + "/" + name, limit: webLimit, of: "the console", isPlain: true)
        }
        do {
            _ = try read("page.html")
        } catch {
            throw Failure("\(folder): not a folder with the console's pages (\(error.sentence))")
        }
        // What cannot be read is not found.
        return WebFiles { try? read($0) }
    }
}
