import HTTP
import PlatformKit
import Upstream

extension Console {
    /// `GET /?platform=&caller=`: how to connect an app, the newest codes, what waits, what was refused, where everything is, who is there.
    func home(_ world: World, _ request: Request) throws -> Page {
        var query = Journal.Query()
        query.limit = 300
        let addresses = WorldAddresses(request, info)
        let home = HomePage(
            base: request.mount, world: world.name, now: Timestamp.text(world.clock.now),
            isFrozen: world.clock.isFrozen, codes: try newestCodes(world),
            groups: EntryGroup.groups(of: world.journal.entries(query)), people: try world.people.all(),
            platforms: info.platforms, addresses: addresses,
            connect: try connectPanel(world, request, addresses),
            waiting: try watch(world).all().filter(\.isOpen),
            upstreams: world.upstreams.mapValues(\.url), descriptions: deviceDescriptions,
            fixed: FixedCodesNotice(base: request.mount, codes: try world.fixedCodes))
        return Page(title: "Home", tab: .home, main: home.html)
    }

    private func connectPanel(
        _ world: World, _ request: Request, _ addresses: WorldAddresses
    ) throws -> ConnectPanel {
        let form = request.queryItems
        let caller = form["caller"].flatMap(Setup.Caller.init(rawValue:)) ?? .iOS
        let card = info.platforms.first { $0.name == form["platform"] } ?? info.platforms.first
        let place = ConnectPanel.place(caller, addresses, in: world.name)
        return ConnectPanel(
            base: request.mount, platforms: info.platforms, platform: card, caller: caller,
            setup: try card.flatMap { try world.ask($0, (any SetsUpCallers).self)?.setup(for: place) },
            addresses: addresses, hasAuthority: info.authority != nil,
            associations: card.map(associations) ?? [])
    }

    private func associations(of card: any Platform.Type) -> [String] {
        // What stands there for browsers alone is no file of an app.
        ((card as? any AnswersAtRoot.Type)?.hostPaths ?? []).filter { $0.hasPrefix("/.well-known/a") }
    }

    /// Files of `Web/openapi` by the name of the platform whose device protocol they describe.
    private var deviceDescriptions: [String: String] {
        let files = info.platforms.map { ($0.name, $0.name + "-device.json") }
        return Dictionary(files, uniquingKeysWith: { first, _ in first })
            .filter { web.read("openapi/" + $0.value) != nil }
    }

    private func newestCodes(_ world: World) throws -> [MessageJSON] {
        var query = OutboxStore.Query()
        query.hasCode = true
        query.limit = 50
        return try world.outbox.messages(query).map { MessageJSON($0) }
    }
}

/// What the home page shows.
struct HomePage {
    let base: String
    let world: String
    let now: String
    let isFrozen: Bool
    /// Newest first; those without a code are left out.
    let codes: [MessageJSON]
    /// Newest first; those that were not refused are left out.
    let groups: [EntryGroup]
    let people: [Person]
    let platforms: [any Platform.Type]
    let addresses: WorldAddresses
    let connect: ConnectPanel
    /// Transactions that somebody is to decide about, newest first.
    let waiting: [Transaction]
    /// URLs of real services, by the mounts that they stand behind.
    var upstreams: [String: String] = [:]
    /// Names of the descriptions of device protocols, by platform.
    var descriptions: [String: String] = [:]
    var fixed: FixedCodesNotice?

    private static let codeLimit = 4
    private static let lineLimit = 5

    var html: HTML {
        """
        <div class="home" data-page="home">
        <header class="lead">
        <h1>The stand-in for your identity platforms</h1>
        <p>Real protocols, real signatures, no network. <a href="\(base)/docs">Documentation</a> <strong class="caution">Development only: never for real users.</strong></p>
        </header>
        <div class="column">
        \([upstreamPanel, connect.html, codePanel, refusedPanel, addressPanel])
        </div>
        <div class="column">
        \([worldPanel, waitingPanel, peoplePanel])
        </div>
        </div>
        """
    }

    /// What is not emulated, and which address stands for which; nothing where all of it is.
    private var upstreamPanel: HTML {
        if upstreams.isEmpty { return .none }
        let rows = upstreams.sorted { $0.key < $1.key }.map { mount, url -> HTML in
            "<dt><code>\(addresses.url(mount, in: world))</code></dt><dd><code>\(url)</code></dd>"
        }
        return """
            <section class="panel upstreams" aria-labelledby="upstreams-title">
            <h2 id="upstreams-title"><strong class="caution">Not emulated: real services answer here</strong></h2>
            <dl class="facts">\(rows)</dl>
            <p class="more"><a href="\(base)/docs/upstream">Upstreams</a></p>
            </section>
            """
    }

    private var steps: FirstSteps { FirstSteps(platforms, addresses, in: world, people: people) }

    private var codePanel: HTML {
        let tickets = codes.filter { $0.code != nil }.prefix(Self.codeLimit).map { ticket($0) }
        return """
            <section class="panel codes" aria-labelledby="codes-title">
            <h2 id="codes-title">Latest codes</h2>
            \(fixed?.html ?? "")
            <ol class="tickets" id="codes">
            \(tickets)
            </ol>
            <div class="empty" id="codes-empty"\(.hidden(!tickets.isEmpty))>
            <p>No codes yet. Request one, and it appears here at once:</p>
            \(steps.ask)
            </div>
            <p class="more"><a href="\(base)/outbox">All messages</a></p>
            </section>
            """
    }

    private func ticket(_ message: MessageJSON) -> HTML {
        let expiry = message.expiry(at: now).map { " \($0)" as HTML } ?? ""
        return """
            <li class="ticket" data-id="\(message.id)">
            \(message.secret(at: now))
            <a class="to" href="\(base)/outbox/\(message.id)">\(message.to.address)</a>
            <span class="about">\(message.about)</span>
            <span class="times">\(.time(message.sentAt))\(expiry)</span>
            </li>
            """
    }

    private var worldPanel: HTML {
        """
        <section class="panel world-panel" id="world" aria-labelledby="world-title" data-world="\(world)" \
        data-now="\(String(now.prefix(19)))Z" data-frozen="\(String(isFrozen))">
        <h2 id="world-title">World <b>\(world)</b></h2>
        <p class="now" id="now">\(.time(now)) <span class="clock-state">\(isFrozen ? "frozen" : "running")</span></p>
        <p class="hint">Everything that expires follows this clock. <a href="\(base)/time">More about time</a></p>
        \(phone)
        </section>
        """
    }

    /// The console on a phone.
    private var phone: HTML {
        guard let origin = addresses.lanOrigin else {
            return """
                <p class="hint">To open the console on a phone, start Understudy with <code>--lan</code>.</p>
                """
        }
        let url = origin + (world == Worlds.defaultName ? "" : "/w/" + world) + "/"
        return """
            <details class="on-phone">
            <summary>Open the console on a phone</summary>
            \(Symbol.html(url, of: "console"))
            </details>
            """
    }

    private var waitingPanel: HTML {
        let lines = waiting.prefix(Self.lineLimit).map { transaction in
            """
            <li class="waiting" data-id="\(transaction.id)">
            <a class="subject" href="\(base + TransactionLine.path(transaction.id))">\(transaction.title.shownTitle)</a>
            <span class="about">\(transaction.user ?? "") \(transaction.kind) · \(transaction.platform)</span>
            </li>
            """ as HTML
        }
        return """
            <section class="panel waits" aria-labelledby="waiting-title">
            <h2 id="waiting-title">Waiting for a decision</h2>
            <ol class="waitings" id="waiting">
            \(Array(lines))
            </ol>
            <p class="hint" id="waiting-empty"\(.hidden(!lines.isEmpty))>Nothing is waiting.</p>
            <p class="more"><a href="\(base)/transactions">All transactions</a></p>
            </section>
            """
    }

    private var refusedPanel: HTML {
        let refused = groups.filter { $0.request?.exchange?.isRefused == true }.prefix(Self.lineLimit)
        return """
            <section class="panel recent" aria-labelledby="recent-title">
            <h2 id="recent-title">Recent refusals</h2>
            <ol class="entries" id="entries">
            \(refused.map { EntryLine(group: $0.alone, base: base).html })
            </ol>
            <p class="hint" id="entries-none"\(.hidden(!refused.isEmpty || groups.isEmpty))>No recent refusals.</p>
            <div class="empty" id="entries-empty"\(.hidden(!groups.isEmpty))>
            <p>No requests yet. Every refusal appears here with its reason. Try a request:</p>
            \(steps.look)
            </div>
            <p class="more"><a href="\(base)/journal">Full journal</a></p>
            </section>
            """
    }

    private var addressPanel: HTML {
        AddressTable(
            platforms: platforms, world: world, addresses: addresses, descriptions: descriptions, base: base,
            isOpen: groups.isEmpty
        ).html
    }

    private var peoplePanel: HTML {
        let cast: HTML =
            people.isEmpty
            ? """
            <p class="empty">The fixtures contain no people. <code>understudy fixtures init</code> writes a starter file.</p>
            """
            : "<ul class=\"cast\">\n\(people.map { card($0) })\n</ul>"
        return """
            <section class="panel people" aria-labelledby="people-title">
            <h2 id="people-title">Test users</h2>
            \(cast)
            </section>
            """
    }

    private func card(_ person: Person) -> HTML {
        """
        <li>
        <h3>\(person.name)</h3>
        <p class="story">\(person.story)</p>
        <p class="ids"><code data-copy>\(person.email)</code></p>
        </li>
        """
    }
}
