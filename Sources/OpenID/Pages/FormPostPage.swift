import HTTP
import PlatformKit

/// Carries an authorization response in the body of a POST. Source: OAuth 2.0 Form Post Response Mode §2.
enum FormPostPage {
    static func make(_ action: String, _ members: [(name: String, value: String)]) -> Page {
        let fields: [HTML] = members.map {
            "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">"
        }
        var page = Page(
            "Back to the app",
            """
            <h1>Back to the app</h1>
            <p>If nothing happens, press the button.</p>
            <form method="post" action="\(action)">
            \(fields)
            <button class="main">Continue</button>
            </form>
            """)
        page.script = "document.forms[0].submit();"
        return page
    }
}
