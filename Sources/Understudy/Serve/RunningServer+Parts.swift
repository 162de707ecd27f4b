import Console
import Embedded
import Essentials
import HTTP
import HTTPServer
import Mail
import MailServer
import Phone
import PlatformKit
import Platforms
import SQLite
import Sockets
import Upstream

/// What it is made of.
extension RunningServer {
    /// - Returns: also what remains to be done once the first request can be answered.
    static func worlds(
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

    static func forwarder(_ settings: ServeSettings) throws -> MailForwarder? {
        let relay = settings.relay.map { SMTPClient(host: $0.host, port: $0.port).destination }
        let folder = try settings.mailFolder.map { try MailFolder(path: $0).destination }
        let destinations = [folder, relay].compactMap { $0 }
        return destinations.isEmpty ? nil : MailForwarder(destinations)
    }

    /// - Throws: ``SocketError`` when the port cannot be had.
    static func mailServer(
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

    static func dispatcher(
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
