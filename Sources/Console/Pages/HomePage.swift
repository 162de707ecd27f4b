import HTTP
import PlatformKit

extension Console {
    /// `GET /`: newest codes, the world's clock, base URLs to copy, what happened last, the cast.
    func home(_ world: World, _ request: Request) throws -> Page {
        var query = Journal.Query()
        query.limit = 60
        let home = HomePage(
            base: request.mount, world: world.name, now: Timestamp.text(world.clock.now),
            isFrozen: world.clock.isFrozen, codes: try newestCodes(world),
            groups: EntryGroup.groups(of: world.journal.entries(query)), people: try world.people.all(),
            platforms: info.platforms, addresses: WorldAddresses(request, info),
            descriptions: deviceDescriptions, hasAuthority: info.authority != nil)
        return Page(title: "Home", tab: .home, main: home.html)
    }

    /// Files of `Web/openapi` by the name of the platform whose device protocol they describe.
    private var deviceDescriptions: [String: String] {
        let files = info.platforms.map { ($0.name, $0.name + "-device.json") }
        return Dictionary(files, uniquingKeysWith: { first, _ in first })
            .filter { web.read("openapi/" + $0.value) != nil }
    }

    private func newestCodes(_ world: World) throws -> [MessageShape] {
        var query = OutboxStore.Query()
        query.hasCode = true
        query.limit = 50
        return try world.outbox.messages(query).map { MessageShape($0) }
    }
}

/// What the home page shows.
struct HomePage {
    let base: String
    let world: String
    let now: String
    let isFrozen: Bool
    /// Newest first; those without a code are left out.
    let codes: [MessageShape]
    let groups: [EntryGroup]
    let people: [Person]
    let platforms: [PlatformCard]
    let addresses: WorldAddresses
    /// Names of the descriptions of device protocols, by platform.
    var descriptions: [String: String] = [:]
    /// Whether there is a development CA to trust.
    var hasAuthority = false

    private static let codeLimit = 6
    private static let lineLimit = 12

    var html: HTML {
        """
        <div class="home" data-page="home">
        <header class="lead">
        <h1>The stand-in for your identity platforms</h1>
        <p>Real protocols, real signatures, no network. <strong class="caution">Development only: never for real users.</strong></p>
        </header>
        \(codePanel)
        \(worldPanel)
        \(addressPanel)
        \(recentPanel)
        \(peoplePanel)
        </div>
        """
    }

    private var steps: FirstSteps { FirstSteps(platforms, addresses, in: world, people: people) }

    private var codePanel: HTML {
        let tickets = codes.filter { $0.code != nil }.prefix(Self.codeLimit).map { ticket($0) }
        return """
            <section class="panel codes" aria-labelledby="codes-title">
            <h2 id="codes-title">Latest codes</h2>
            <ol class="tickets" id="codes">
            \(tickets)
            </ol>
            <div class="empty" id="codes-empty"\(.hidden(!tickets.isEmpty))>
            <p>No code yet. Ask for one, and it appears here at once:</p>
            \(steps.ask)
            </div>
            <p class="more"><a href="\(base)/outbox">All messages</a></p>
            </section>
            """
    }

    private func ticket(_ message: MessageShape) -> HTML {
        let expiry = message.expiry(at: now).map { " \($0)" as HTML } ?? ""
        return """
            <li class="ticket" data-id="\(message.id)">
            <code class="code" data-copy>\(message.code ?? "")</code>
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
        <p class="hint">Everything that expires obeys this clock.</p>
        </section>
        """
    }

    private var addressPanel: HTML {
        let blocks = platforms.flatMap { card in
            card.mounts.map { mount in
                mount == card.mounts.first
                    ? block(card.title, mount, describedBy: descriptions[card.name], pages: card.pages)
                    : block("\(card.title), /\(mount)", mount)
            }
        }
        return """
            <section class="panel addresses" aria-labelledby="addresses-title">
            <h2 id="addresses-title">Base URLs</h2>
            \(blocks)
            \(mail)\(ways)</section>
            """
    }

    private func block(
        _ title: String, _ mount: String, describedBy file: String? = nil, pages: [PageLink] = []
    ) -> HTML {
        let lan = addresses.lan(mount, in: world).map { Self.address($0) }
        let none: HTML = "<dd class=\"none\">Only with <code>--lan</code> or <code>--host 0.0.0.0</code></dd>"
        return """
            <div class="platform">
            <h3>\(title)</h3>
            <dl>
            \(row("This machine, iOS simulator", addresses.url(mount, in: world)))\
            \(row("At a port of its own", addresses.port(mount, in: world)))\
            \(row("As a host name", addresses.hostName(mount, in: world)))\
            \(row("Android emulator", addresses.emulator(mount, in: world)))\
            <div><dt>Local network</dt>\(lan.isEmpty ? none : "\(lan)")</div>
            \(row("Container", addresses.container(mount, in: world)))\
            </dl>
            \(file.map { link("\(Console.root)/openapi/\($0)", "Device protocol, as OpenAPI") } ?? .none)\
            \(pages.map { link("/\(mount)\($0.path)", $0.title) })</div>
            """
    }

    /// Where mails of back ends go in.
    private var mail: HTML {
        addresses.smtp.map { address in
            let user =
                world == Worlds.defaultName
                ? "" as HTML
                : "<p class=\"hint\">Log in as <code>\(world)</code>, or write to <code>name+\(world)@…</code>, to reach this world.</p>\n"
            return """
                <div class="platform">
                <h3>Mail in</h3>
                <dl>
                \(row("SMTP", address))</dl>
                \(user)</div>

                """
        } ?? .none
    }

    /// Nothing for an address that does not work.
    private func row(_ title: String, _ address: String?) -> HTML {
        address.map { "<div><dt>\(title)</dt>\(Self.address($0))</div>\n" } ?? .none
    }

    private static func address(_ url: String) -> HTML { "<dd><code data-copy>\(url)</code></dd>" }

    /// What helps where the addresses alone do not: the cable, and trust in our certificates.
    private var ways: HTML {
        let reverse = addresses.reverse
        let cable: HTML =
            reverse.isEmpty
            ? .none
            : """
            <p class="hint">On an Android emulator, or a device at the cable, <code>localhost</code> is this machine after:</p>
            <pre class="shell" data-copy>\(reverse.joined(separator: "\n"))</pre>

            """
        let trust: HTML =
            hasAuthority
            ? """
            <p class="more"><a href="\(base)/ca">How clients come to trust the certificates</a></p>

            """ : .none
        return "\(cable)\(trust)"
    }

    private func link(_ path: String, _ title: String) -> HTML {
        """
        <p class="more"><a href="\(base)\(path)">\(title)</a></p>

        """
    }

    private var recentPanel: HTML {
        """
        <section class="panel recent" aria-labelledby="recent-title">
        <h2 id="recent-title">What happened last</h2>
        <ol class="entries" id="entries">
        \(groups.prefix(Self.lineLimit).map { EntryLine(group: $0, base: base).html })
        </ol>
        <div class="empty" id="entries-empty"\(.hidden(!groups.isEmpty))>
        <p>Nothing has been asked yet. Every request appears here, and every refusal with its reason. Try one:</p>
        \(steps.look)
        </div>
        <p class="more"><a href="\(base)/journal">Whole journal</a></p>
        </section>
        """
    }

    private var peoplePanel: HTML {
        let cast: HTML =
            people.isEmpty
            ? """
            <p class="empty">The fixtures name nobody. <code>understudy fixtures init</code> writes a starter file.</p>
            """
            : "<ul class=\"cast\">\n\(people.map { card($0) })\n</ul>"
        return """
            <section class="panel people" aria-labelledby="people-title">
            <h2 id="people-title">The cast</h2>
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
