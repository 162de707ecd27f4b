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
        page.refresh = Page.Refresh(seconds: 5)
        return page
    }

    private var list: HTML {
        if codes.isEmpty { return "<p>No valid passwords at the moment.</p>" }
        return "<ul>\(codes.map(item))</ul>"
    }

    private func item(_ code: OneTimeCode) -> HTML {
        let seconds = now.seconds(until: code.expiresAt)
        return "<li><code>\(code.text)</code> of \(code.userID), \(seconds) s left</li>"
    }
}
