import Essentials
import HTTP
import JOSE
import PlatformKit

extension Console {
    /// `GET /mint?kind=`: a form for a token of that kind, or of the first.
    func mintPage(_ world: World, _ request: Request) throws -> Page {
        var outcome = MintPage.Outcome()
        outcome.typed["kind"] = request.queryItems["kind"]
        return try mintPage(world, request, outcome)
    }

    /// `POST /mint`, as the form of the page sends it: the page with the token, or with the reason why there is none.
    func mintFromForm(_ world: World, _ request: Request) throws -> Response {
        var outcome = MintPage.Outcome()
        outcome.typed = Dictionary(request.form.pairs.map { ($0.name, $0.value) }) { first, _ in first }
        do {
            outcome.token = try mint(MintPage.wish(outcome.typed), in: world, request)
        } catch let error as ControlError {
            outcome.refusal = error.detail
            var page = try mintPage(world, request, outcome)
            page.status = error.status
            return render(page, request, in: world)
        }
        return render(try mintPage(world, request, outcome), request, in: world)
    }

    private func mintPage(_ world: World, _ request: Request, _ outcome: MintPage.Outcome) throws -> Page {
        let page = MintPage(
            base: request.mount, kinds: tokenKinds, info: info, people: try world.people.all(),
            outcome: outcome)
        return Page(title: "Mint a token", tab: .tokens, hasForms: true, main: page.html)
    }
}

/// What the mint shows.
struct MintPage {
    /// What came of a form.
    struct Outcome {
        var typed: [String: String] = [:]
        var token: MintOutput?
        var refusal: String?
    }

    let base: String
    let kinds: [TokenKindJSON]
    let info: ConsoleInfo
    /// Whom a field for a user suggests.
    let people: [Person]
    let outcome: Outcome

    private static let suggestions = 50

    /// What a form wants.
    ///
    /// - Throws: ``ControlError``.
    static func wish(_ typed: [String: String]) throws -> Console.MintInput {
        func text(_ name: String) -> String? { typed[name].flatMap { $0.isEmpty ? nil : $0 } }
        let parts = (typed["kind"] ?? "").split(separator: " ", maxSplits: 1).map(String.init)
        var wish = Console.MintInput(platform: parts.first ?? "", kind: parts.count > 1 ? parts[1] : nil)
        (wish.user, wish.client, wish.scope) = (text("user"), text("client"), text("scope"))
        (wish.flaw, wish.key) = (text("flaw"), text("key"))
        if let seconds = text("lifetime") {
            guard let number = Int(digits: seconds) else {
                throw ControlError.parameter(
                    "lifetime", expected: "whole seconds, such as 600", given: "“\(seconds)”")
            }
            wish.lifetimeSeconds = number
        }
        for line in (typed["claims"] ?? "").replacing("\r\n", with: "\n").split(separator: "\n") {
            let (name, value) = try Self.claim(String(line))
            wish.claims[name] = value
        }
        return wish
    }

    /// A line `name=value`; the value is JSON, or else a text.
    private static func claim(_ line: String) throws -> (String, JSONValue) {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw ControlError.parameter(
                "claims", expected: "lines such as role=admin", given: "“\(line)”")
        }
        // What is no JSON is a text.
        return (parts[0], (try? JSONValue(parsing: Array(parts[1].utf8))) ?? .string(parts[1]))
    }

    var html: HTML {
        """
        <div class="mint" data-page="mint">
        <header class="lead">
        <h1>Mint a token</h1>
        <p>Get any token that a platform signs without going through a flow. The platform knows a good token as if it had been \
        issued; one with a flaw is wrong in that one way, so that you can test your client or API.</p>
        </header>
        \([refusal, result, form].filter { $0 != HTML.none })
        </div>
        """
    }

    private var refusal: HTML {
        outcome.refusal.map { "<p class=\"refusal\" role=\"alert\">\($0)</p>" } ?? .none
    }

    private var result: HTML {
        guard let token = outcome.token else { return .none }
        let state: HTML =
            token.flaw == nil
            ? "Used for: \(token.use)\(token.isRegistered ? "" : ". Only its signature is checked")."
            : "\(token.explanation ?? "")"
        let expiry = token.expiresAt.map { "<p class=\"hint\">Expires: \(HTML.time($0))</p>" as HTML }
        return """
            <section class="panel minted" aria-labelledby="minted-title">
            <h2 id="minted-title">\(token.kind)\(token.flaw.map { ", \($0)" } ?? "")</h2>
            <p>\(state)</p>
            <pre class="shell" data-copy>\(token.token)</pre>
            \(token.flaw == nil ? expiry ?? .none : .none)
            \(part("Header", token.header))\(part("Claims", token.claims))
            </section>
            """
    }

    private func part(_ title: String, _ value: JSONValue?) -> HTML {
        guard let value else { return .none }
        return "<h3>\(title)</h3>\n<pre class=\"shell\" tabindex=\"0\">\(value.text.indentedJSON)</pre>\n"
    }

    private var form: HTML {
        guard !kinds.isEmpty else {
            return """
                <div class="empty">
                <h2>Nothing to mint</h2>
                <p>No platform of this program signs tokens.</p>
                </div>
                """
        }
        return "\([choice, kindForm])"
    }

    /// The kind first: it says which fields there are.
    private var choice: HTML {
        let options = HTML.options(
            kinds.map { (value($0), "\(title($0.platform)): \($0.title)") }, chosen: chosen.map(value) ?? "")
        return """
            <form class="inputs" id="mint-kind" action="\(base)/mint" method="get" aria-label="Kind of token">
            <label class="field"><span>Token</span> <select name="kind">\(options)</select></label>
            <button type="submit">Show fields</button>
            </form>
            """
    }

    /// What the chosen kind takes, and no more.
    private var kindForm: HTML {
        guard let kind = chosen else { return .none }
        let flaws = HTML.options(
            [("", "None")] + kind.flaws.map { ($0, $0) }, chosen: typed("flaw"))
        var fields: [HTML] = []
        if kind.takes.contains("user") { fields.append(field("user", "User (id or email address)", kind)) }
        if kind.takes.contains("client") { fields.append(field("client", "Client", kind)) }
        if kind.takes.contains("scope") { fields.append(field("scope", "Scope", kind)) }
        fields.append(field("lifetime", "Lifetime in seconds", kind))
        if kind.format == "jwt" {
            fields += [field("key", "Key (kid)", kind), claims]
        }
        return """
            <form class="inputs" action="\(base)/mint" method="post" aria-label="Mint a token">
            <input type="hidden" name="kind" value="\(value(kind))">
            \(fields)
            <label class="field"><span>Flaw</span> <select name="flaw">\(flaws)</select></label>
            <button class="primary" type="submit">Mint token</button>
            \(suggested)
            </form>
            <p class="hint">Used for: \(kind.use).</p>
            """
    }

    private var claims: HTML {
        """
        <label class="field long"><span>Claims, one per line: name=value</span> \
        <textarea name="claims" rows="3" autocomplete="off" spellcheck="false">
        \(typed("claims"))</textarea></label>
        """
    }

    /// The people of the world.
    private var suggested: HTML {
        let options: [HTML] = people.prefix(Self.suggestions).map { person in
            "<option value=\"\(person.email)\">\(person.name)</option>"
        }
        return "<datalist id=\"mint-user\">\(options)</datalist>"
    }

    /// The kind that was asked for; the first for none, and for one that is not there.
    private var chosen: TokenKindJSON? { kinds.first { value($0) == typed("kind") } ?? kinds.first }

    private func value(_ kind: TokenKindJSON) -> String { "\(kind.platform) \(kind.kind)" }

    private func field(_ name: String, _ title: String, _ kind: TokenKindJSON) -> HTML {
        let needed: HTML = kind.needs.contains(name) ? " required" : ""
        let list: HTML = name == "user" ? " list=\"mint-user\"" : ""
        return """
            <label class="field"><span>\(title)</span> <input name="\(name)" value="\(typed(name))"\(list) autocomplete="off" \
            spellcheck="false"\(needed)></label>
            """
    }

    private func typed(_ name: String) -> String { outcome.typed[name] ?? "" }

    private func title(_ platform: String) -> String {
        info.platforms.first { $0.name == platform }?.title ?? platform
    }
}
