import Essentials
import HTTP
import PlatformKit

/// The one-time passwords of a project that are good now.
struct PasswordPage {
    let project: String
    /// The newest first.
    let codes: [OneTimeCode]
    let now: Date

    var page: Page {
        var page = Page(
            "One-time passwords",
            """
            <h1>One-time passwords</h1>
            <p class="soft">Of \(project). A user gets one by a proof with the scope <code>otp</code>; a back end asks about it with
            <code>POST /otp</code>.</p>
            \(list)
            """)
        // A page that goes away by itself is taken from who reads slowly or hears it: WCAG 2.2, 2.2.1 and 3.2.5.
        page.script = Self.renewal
        page.refresh = Page.Refresh(seconds: 5, isForPlainBrowsers: true)
        return page
    }

    /// Takes over the list of now, where it has changed, and leaves the rest of the page alone.
    private static let renewal = """
        setInterval(async () => {
          const answer = await fetch(location.href).catch(() => undefined);
          if (!answer?.ok) return;
          const drawn = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("passwords");
          const shown = document.getElementById("passwords");
          if (drawn && drawn.outerHTML !== shown.outerHTML) shown.replaceWith(drawn);
        }, 5000);
        """

    private var list: HTML {
        if codes.isEmpty { return "<p id=\"passwords\">No valid passwords at the moment.</p>" }
        return "<ul id=\"passwords\">\(codes.map(item))</ul>"
    }

    private func item(_ code: OneTimeCode) -> HTML {
        let seconds = now.seconds(until: code.expiresAt)
        return "<li><code>\(code.text)</code> of \(code.userID), \(seconds) s left</li>"
    }
}
