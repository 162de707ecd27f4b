import HTTP
import PlatformKit

/// How an app or a back end of the reader is connected: a platform and a caller to choose, and what to paste then.
struct ConnectPanel {
    let base: String
    let platforms: [any Platform.Type]
    let platform: (any Platform.Type)?
    let caller: Setup.Caller
    /// Nil where no such caller speaks to the platform.
    let setup: Setup?
    let addresses: WorldAddresses
    let hasAuthority: Bool
    /// Files that tie apps to this server, where the platform has them.
    let associations: [String]

    static func title(_ caller: Setup.Caller) -> String {
        switch caller {
        case .iOS: "iOS"
        case .android: "Android"
        case .web: "Web"
        case .backEnd: "Back end"
        case .curl: "curl"
        }
    }

    /// By the addresses that work from where the caller runs.
    static func place(_ caller: Setup.Caller, _ addresses: WorldAddresses, in world: String) -> Setup.Place {
        var urls: [String: String] = [:]
        for mount in addresses.mounts {
            let own =
                switch caller {
                case .iOS: addresses.simulator(mount, in: world)
                case .android: addresses.emulator(mount, in: world)
                case .web, .backEnd, .curl: nil as String?
                }
            urls[mount] = own ?? addresses.url(mount, in: world)
        }
        let all = urls
        return Setup.Place(caller) { all[$0] ?? "" }
    }

    var html: HTML {
        """
        <section class="panel connect" id="connect" aria-labelledby="connect-title">
        <h2 id="connect-title">Connect my app</h2>
        \(form)
        <div class="setup" id="setup" aria-live="polite">
        \(inside)
        </div>
        </section>
        """
    }

    private var form: HTML {
        let names = HTML.options(platforms.map { ($0.name, $0.title) }, chosen: platform?.name ?? "")
        let callers = HTML.options(
            Setup.Caller.allCases.map { ($0.rawValue, Self.title($0)) }, chosen: caller.rawValue)
        return """
            <form class="inputs" action="\(base)/#connect" method="get" aria-label="What to connect">
            <label class="field"><span>Platform</span> <select name="platform">\(names)</select></label>
            <label class="field"><span>Caller</span> <select name="caller">\(callers)</select></label>
            <button type="submit">Show</button>
            </form>
            """
    }

    private var inside: [HTML] {
        guard let setup else {
            let name = platform?.title ?? "This platform"
            return ["<p class=\"hint\">This caller does not use \(name); choose another one.</p>"]
                + links
        }
        let values = setup.values.map { value in
            "<div><dt>\(value.name)</dt><dd><code data-copy>\(value.value)</code></dd></div>" as HTML
        }
        return ["<dl class=\"facts\">\n\(values)\n</dl>"]
            + setup.snippets.map { snippet in
                "<h3>\(snippet.title)</h3>\n<pre class=\"shell\" data-copy>\(snippet.text)</pre>" as HTML
            } + network.map(folded) + (setup.notes + remarks).map { "<p class=\"hint\">\($0)</p>" as HTML }
            + links
    }

    /// Needed once, and long.
    private func folded(_ snippet: Setup.Snippet) -> HTML {
        """
        <details>
        <summary>\(snippet.title)</summary>
        <pre class="shell" data-copy>\(snippet.text)</pre>
        </details>
        """
    }

    /// What the systems of phones ask for before they speak plain HTTP.
    ///
    /// - Source: Apple, “NSAllowsLocalNetworking”; Android, “Network security configuration”.
    private var network: [Setup.Snippet] {
        let isPlain = addresses.isPlain
        switch caller {
        case .iOS where isPlain:
            return [
                .init(
                    "Info.plist (App Transport Security)",
                    """
                    <key>NSAppTransportSecurity</key>
                    <dict>
                        <key>NSAllowsLocalNetworking</key>
                        <true/>
                    </dict>
                    """)
            ]
        case .android:
            let cleartext = Setup.Snippet(
                "res/xml/network_security_config.xml, named by android:networkSecurityConfig",
                """
                <?xml version="1.0" encoding="utf-8"?>
                <network-security-config>
                    <domain-config cleartextTrafficPermitted="true">
                        <domain includeSubdomains="true">localhost</domain>
                        <domain>10.0.2.2</domain>
                    </domain-config>
                </network-security-config>
                """)
            let cable = Setup.Snippet(
                "For localhost on an emulator or a device on a cable",
                addresses.reverse.joined(separator: "\n"))
            return (isPlain ? [cleartext] : []) + (addresses.reverse.isEmpty ? [] : [cable])
        default: return []
        }
    }

    private var remarks: [String] {
        switch caller {
        case .iOS, .android:
            addresses.lanOrigin.map { ["For a device on this network, the addresses begin with \($0)."] }
                ?? ["To connect a device on this network, start Understudy with --lan."]
        case .backEnd:
            addresses.containerOrigin.map { ["For a container, the addresses begin with \($0)."] } ?? []
        case .web, .curl: []
        }
    }

    private var links: [HTML] {
        var links: [(String, String)] = []
        if [.iOS, .android].contains(caller) { links += associations.map { ($0, "Association file \($0)") } }
        if hasAuthority { links.append(("/ca", "How clients can trust the certificates")) }
        return links.map { path, title in "<p class=\"more\"><a href=\"\(base)\(path)\">\(title)</a></p>" }
    }
}

/// Every base address once.
struct AddressTable {
    let platforms: [any Platform.Type]
    let world: String
    let addresses: WorldAddresses
    /// Names of the descriptions of device protocols, by platform.
    let descriptions: [String: String]
    let base: String
    /// Folded once somebody found the way here.
    let isOpen: Bool

    var html: HTML {
        let rows = platforms.flatMap { card in
            card.mountPaths.map { mount in row(mount == card.mountPaths.first ? card.title : "", mount) }
        }
        return """
            <section class="panel addresses" aria-labelledby="addresses-title">
            <details\(isOpen ? " open" : "" as HTML)>
            <summary><h2 id="addresses-title">Addresses</h2></summary>
            <div class="wide" tabindex="0" role="group" aria-label="Addresses of the platforms">
            <table>
            <thead><tr><th scope="col">Platform</th><th scope="col">This machine, iOS simulator</th><th scope="col">With a name or port of its own</th></tr></thead>
            <tbody>
            \(rows + mail)
            </tbody>
            </table>
            </div>
            <dl class="facts origins">
            \(origins)
            </dl>
            \(pages + documents)
            </details>
            </section>
            """
    }

    private func row(_ title: String, _ mount: String) -> HTML {
        let own = addresses.port(mount, in: world) ?? addresses.hostName(mount, in: world)
        let root: HTML = own.map { "<code data-copy>\($0)</code>" } ?? .none
        let head: HTML = title.isEmpty ? "<td></td>" : "<th scope=\"row\">\(title)</th>"
        return """
            <tr>\(head)<td><code data-copy>\(addresses.url(mount, in: world))</code></td><td>\(root)</td></tr>
            """
    }

    /// Where mails of back ends go in.
    private var mail: [HTML] {
        addresses.smtp.map { address in
            let user: HTML =
                world == Worlds.defaultName
                ? .none : "Log in as <code>\(world)</code>, or write to <code>name+\(world)@…</code>"
            return [
                "<tr><th scope=\"row\">Mail in (SMTP)</th><td><code data-copy>\(address)</code></td><td>\(user)</td></tr>"
            ]
        } ?? []
    }

    /// What these addresses begin with elsewhere.
    private var origins: [HTML] {
        let mount = platforms.first?.mountPaths.first ?? ""
        let elsewhere: [(String, String?)] = [
            ("Android emulator", addresses.emulator(mount, in: world)),
            ("Local network", addresses.lan(mount, in: world).first),
            ("Container", addresses.container(mount, in: world)),
        ]
        let known = elsewhere.compactMap { name, url in
            url.map {
                "<div><dt>\(name)</dt><dd><code data-copy>\($0.dropLast(mount.count + 1).description)</code></dd></div>"
                    as HTML
            }
        }
        let hint: HTML =
            "<div><dt>Local network</dt><dd>only with <code>--lan</code> or <code>--host 0.0.0.0</code></dd></div>"
        return known + (addresses.lan(mount, in: world).isEmpty ? [hint] : [])
    }

    /// What can be tried in a browser.
    private var pages: [HTML] {
        platforms.compactMap { $0 as? any ShowsPages.Type }.map { card in
            let links = card.pages.map { page in
                " <a href=\"\(base)/\(card.mountPaths.first ?? "")\(page.path)\">\(page.title)</a>" as HTML
            }
            return "<p class=\"more\">\(card.title):\(links)</p>"
        }
    }

    private var documents: [HTML] {
        let links = platforms.compactMap { card in
            descriptions[card.name].map {
                "<a href=\"\(base + Console.root)/openapi/\($0)\">\(card.title)</a>" as HTML
            }
        }
        return links.isEmpty ? [] : ["<p class=\"more\">Device protocols, as OpenAPI: \(links)</p>"]
    }
}
