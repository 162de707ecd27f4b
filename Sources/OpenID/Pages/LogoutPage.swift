import HTTP
import PlatformKit

/// Before and after a logout.
enum LogoutPage {
    /// Seconds that frames have before the page goes on.
    static let pause = 2

    static func question(client: Client?, user: User?, action: String, fields: HTML) -> Page {
        let asker: HTML = client.map { "<p><strong>\($0.name)</strong> asks you to log out.</p>\n" } ?? .none
        return Page(
            "Log out?",
            """
            <h1>Log out?</h1>
            <p>You are logged in as <strong>\(user?.displayName ?? "")</strong>.</p>
            \(asker)<form method="post" action="\(action)">
            \(fields)
            <button class="main">Log out</button>
            </form>
            <p class="soft">To stay logged in, close this page.</p>
            """)
    }

    /// Source: OpenID Connect Front-Channel Logout 1.0 §3.
    static func done(_ client: Client?, _ frames: [String], target: String?) -> Page {
        let iframes: [HTML] = frames.map { "<iframe src=\"\($0)\" title=\"\" aria-hidden=\"true\"></iframe>" }
        let link: HTML =
            target.map { "<p><a href=\"\($0)\">Back to \(client?.name ?? "the app")</a></p>\n" } ?? .none
        var page = Page(
            "Logged out",
            """
            <h1>Logged out</h1>
            <p>Your session has ended.</p>
            \(link)\(iframes)
            """)
        if !frames.isEmpty { page.frames = "http: https:" }
        page.refresh = target.map { Page.Refresh(seconds: pause, target: $0) }
        return page
    }
}
