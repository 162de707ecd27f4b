import Crypto
import HTTP
import PlatformKit
import QRCode

extension Console {
    /// `GET /ca`: the development CA, a QR code from which a phone fetches it, and how each client comes to trust it.
    func authority(_: World, _ request: Request) throws -> Page {
        guard let authority = info.authority else {
            return Page(
                title: "Certificates", tab: .certificates,
                main: """
                    <div class="trust" data-page="ca">
                    <header class="lead">
                    <h1>Certificates</h1>
                    </header>
                    <div class="empty">
                    <h2>No certificate of its own making yet</h2>
                    <p>This server speaks plain HTTP. Started like this, the same port speaks HTTPS as well, and this page shows how each device comes \
                    to trust it. <a href="\(request.mount)/docs/tls">When an app needs TLS</a></p>
                    <pre class="shell" data-copy>understudy serve --tls auto</pre>
                    </div>
                    </div>
                    """)
        }
        let addresses = WorldAddresses(request, info)
        let page = AuthorityPage(
            name: try authority.name, fingerprint: authority.fingerprint,
            notAfter: Timestamp.text(try authority.certificate.notAfter),
            here: addresses.base(of: Worlds.defaultName), lan: addresses.lanOrigin)
        return Page(title: "Certificates", tab: .certificates, main: try page.html)
    }
}

/// What the page `/ca` shows.
struct AuthorityPage {
    let name: String
    let fingerprint: String
    let notAfter: String
    /// Where the reader reaches us.
    let here: String
    /// Where a phone reaches us, before it trusts us; nil where it does not.
    let lan: String?

    var html: HTML {
        get throws {
            """
            <div class="trust" data-page="ca">
            <header class="lead">
            <h1>Trust this server</h1>
            <p>The certificates of <code>--tls auto</code> come from a development CA that was made on this machine. It can sign for local \
            names and private addresses, and for nothing else.</p>
            </header>
            <section class="panel" aria-labelledby="ca-title">
            <h2 id="ca-title">The certificate</h2>
            <dl class="facts">
            <div><dt>Name</dt><dd>\(name)</dd></div>
            <div><dt>SHA-256</dt><dd><code>\(fingerprint)</code></dd></div>
            <div><dt>Expires</dt><dd>\(.time(notAfter))</dd></div>
            <div><dt>Files</dt><dd>\(files)</dd></div>
            </dl>
            \(try phone)
            </section>
            \(steps)
            </div>
            """
        }
    }

    private var files: HTML {
        let links = Console.authorityFiles.map {
            "<a href=\"\(here)/_understudy/\($0)\" download>\($0)</a>" as HTML
        }
        return "\(links)"
    }

    private var phone: HTML {
        get throws {
            guard let lan else {
                return """
                    <p class="hint">A phone on this network can download it when the server is started with <code>--lan</code>.</p>
                    """
            }
            let address = lan + "/_understudy/ca.pem"
            let symbol = try QRCode(text: address).svg(title: "QR code of \(address)")
            return """
                <figure>
                <div class="symbol">\(HTML(markup: symbol))</div>
                <figcaption>Scan with a phone's camera: <code data-copy>\(address)</code></figcaption>
                </figure>
                """
        }
    }

    private var steps: HTML {
        let secure = here.hasPrefix("http:") ? "https:" + here.dropFirst(5) : here
        let guide = TrustGuide(file: "understudy-ca.pem", server: lan ?? here, secure: secure)
        let fetch: HTML = """
            <section class="panel" aria-labelledby="fetch-title">
            <h2 id="fetch-title">First, on the client's machine</h2>
            <pre class="shell" data-copy>curl -so understudy-ca.pem \(insecure(lan ?? here))/_understudy/ca.pem</pre>
            </section>
            """
        let all = guide.steps.map { step -> HTML in
            let lines: HTML =
                step.lines.isEmpty
                ? .none
                : "<pre class=\"shell\" data-copy>\(step.lines.joined(separator: "\n"))</pre>"
            return """
                <section class="panel" aria-labelledby="\(step.name)-title">
                <h2 id="\(step.name)-title">\(step.title)</h2>
                \(step.words.isEmpty ? .none : "<p>\(step.words)</p>")
                \(lines)
                </section>
                """
        }
        return "\([fetch] + all)"
    }

    /// curl knows no trust yet, and what it fetches is shown above by its fingerprint.
    private func insecure(_ origin: String) -> String {
        origin.hasPrefix("https:") ? "-k " + origin : origin
    }
}
