import HTTP
import Phone
import PlatformKit

// What comes into the phone: codes, and its owner's accounts.
extension PhonePage {
    var scanner: HTML {
        let text: HTML = """
            <label class="field long"><span>Content of a QR code, a link or a typed code</span> \
            <textarea name="input.text" rows="3" autocomplete="off" spellcheck="false" required></textarea></label>
            """
        let fields = [
            text, Self.field("pin", "PIN to set up (optional)", " inputmode=\"numeric\""),
            Self.field("otp", "Second secret (optional)"),
            Self.field("puk", "PUK of a recovery code (optional)", " inputmode=\"numeric\""),
            Self.field("account", "Account of the app (optional)"),
            "<button name=\"action\" value=\"scan\">Scan</button>",
        ]
        let enrols = phone.owner == nil ? [] : enrollable.map(enrolment) + others
        return """
            <section class="panel" data-piece="scanner" aria-labelledby="scanner-title">
            <h2 id="scanner-title">Scan</h2>
            \([form("Scan", "\(fields)")] + picks + enrols)
            </section>
            """
    }

    /// What stands on another page of the console, to be scanned by a button.
    private var picks: [HTML] {
        guard !codes.isEmpty else { return [] }
        let forms = codes.map { code in
            let hidden: HTML = "<input type=\"hidden\" name=\"input.text\" value=\"\(code.text)\">"
            let button: HTML = "<button name=\"action\" value=\"scan\">Scan: \(code.title)</button>"
            return form("Scan \(code.title)", "\([hidden, button])")
        }
        return ["<h3>Codes waiting on other pages</h3>"] + forms
    }

    /// Further accounts of apps that are enrolled.
    private var others: [HTML] {
        let enrolled = session.shownApps.filter { $0.isEnrolled && $0.account == nil && !$0.actions.isEmpty }
        guard !enrolled.isEmpty else { return [] }
        let forms = enrolled.map { app in
            let fields = [
                Self.field("account", "Account name: a-z, 0-9 and -", " required"),
                Self.field("user", "User, if not the owner (optional)"),
            ]
            let button: HTML =
                "<button name=\"action\" value=\"enrol\">Enrol another account at \(app.title)</button>"
            return form(
                "Another account at \(app.title)",
                "\(Self.hidden([("platform", app.platform)]) + fields + [button])")
        }
        return ["<details class=\"more\"><summary>Another account of an app</summary>\n\(forms)\n</details>"]
    }

    private func enrolment(_ app: ShownApp) -> HTML {
        let login =
            app.logsIn
            ? [
                Self.field(
                    "provider", "OpenID Connect provider to log in with, instead of a code (optional)")
            ]
            : []
        return form(
            "Enrol at \(app.title)",
            """
            <input type="hidden" name="platform" value="\(app.platform)">\
            <button name="action" value="enrol">Enrol \(phone.owner ?? "") at \(app.title)</button>
            \(login)
            """)
    }
}
