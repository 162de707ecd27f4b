import HTTP
import PlatformKit

/// A button that leads to an app. Browsers of Android, Chrome above all, leave for an app's own scheme after a click alone; a redirect that
/// nobody clicked for stays where it is. Source: Chrome for Android, “Intents with Chrome”.
enum AppRedirectPage {
    static func make(_ target: String) -> Page {
        Page(
            "Back to the app",
            """
            <h1>Back to the app</h1>
            <p>Your browser opens the app when you press the button.</p>
            <p><a class="main" href="\(target)">Continue in the app</a></p>
            """)
    }
}
