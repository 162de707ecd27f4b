import Essentials
import HTTP
import Phone
import PlatformKit

// The sheet that scans: a text, and what the script adds, a picture and the camera. Beside it the codes that wait elsewhere.
extension PhonePage {
    var scanner: HTML {
        let text: HTML = """
            <label class="field long"><span>Content of a QR code, a link or a typed code</span> \
            <textarea name="input.text" rows="3" autocomplete="off" spellcheck="false" required>
            \(said?.typed?["text"] ?? "")</textarea></label>
            """
        let more: HTML = """
            <details class="more"><summary>PIN, second secret, account</summary>
            \([
                field("pin", "PIN to set up (optional)", " inputmode=\"numeric\""),
                field("otp", "Second secret (optional)"), field("puk", "PUK of a recovery code (optional)"),
                field("account", "Account of the app (optional)"),
            ])
            </details>
            """
        return """
            <h2>Scan a code</h2>
            \(form("Scan", [text, more, "<button class=\"primary\" name=\"action\" value=\"scan\">Scan</button>"]))
            """
    }

    /// By platform; what was searched for, where something was.
    var picks: HTML {
        let found = codes.filter { code in search.map { $0.isIn(code.about + " " + code.title) } ?? true }
        let titles = found.map(\.platform).reduce(into: [String]()) { titles, title in
            if !titles.contains(title) { titles.append(title) }
        }
        let groups = titles.map { title in
            """
            <section class="picks" aria-label="\(title)">
            <h3>\(title)</h3>
            <ul>
            \(found.filter { $0.platform == title }.map(pick))
            </ul>
            </section>
            """ as HTML
        }
        let nothing: HTML = """
            <p class="hint">\(codes.isEmpty ? "No code is waiting anywhere in this world." : "No code says “\(words)”.")</p>
            """
        return """
            <section class="panel" data-piece="codes" aria-labelledby="codes-title">
            <h2 id="codes-title">Codes waiting elsewhere</h2>
            \(codes.isEmpty ? [] : [finder])
            \(groups.isEmpty ? [nothing] : groups)
            </section>
            """
    }

    private var finder: HTML {
        """
        <form class="inputs" role="search" aria-label="Search codes" action="\(path)/scan" method="get">
        <label class="field grow"><span>Search</span> <input type="search" name="q" value="\(words)" maxlength="256" \
        placeholder="Title, user, kind or platform" autocomplete="off" spellcheck="false"></label>
        <button>Search</button>
        </form>
        """
    }

    private func pick(_ code: ShownCode) -> HTML {
        let button: HTML = """
            <button name="action" value="scan" aria-label="Scan: \(code.title)">Scan</button>
            """
        return """
            <li class="pick"><span><b>\(code.name)</b> <span class="about">\(code.about)</span></span>
            \(form("Scan \(code.title)", [button], fields: [("input.text", code.text)]))
            </li>
            """
    }
}
