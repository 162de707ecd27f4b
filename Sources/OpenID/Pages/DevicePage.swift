import HTTP
import PlatformKit

/// Connects a device that has no browser.
struct DevicePage {
    let code: String
    let client: Client?
    let user: User?
    let scopes: [Scope]
    let action: String
    let fields: HTML

    /// The second form. The user compares the code, lest somebody else's device is let in. Source: RFC 8628 §5.4.
    var page: Page {
        Page(
            "Connect a device",
            """
            \(ClientCard.logo(client))<h1>Connect \(client?.name ?? "a device")?</h1>
            <p>You are logged in as <strong>\(user?.displayName ?? "")</strong>.</p>
            <p>Continue only if the device in front of you shows <strong><code>\(UserCode.shown(code))</code></strong>.</p>
            \(scopes.isEmpty ? .none : wishes)
            <form method="post" action="\(action)">
            \(fields)
            <button class="main" name="decision" value="allow">Connect</button>
            <button name="decision" value="deny">Cancel</button>
            </form>
            \(ClientCard.links(client))
            """)
    }

    private var wishes: HTML { "<p>It will be able to:</p>\n\(ConsentPage.list(scopes))" }

    /// The first form.
    static func entry(_ typed: String, error: PageFault?, action: String) -> Page {
        let warning: HTML =
            error.map { "<p class=\"error\" role=\"alert\">\($0.summary). \($0.explanation)</p>\n" } ?? .none
        return Page(
            "Connect a device",
            """
            <h1>Connect a device</h1>
            \(warning)<form method="post" action="\(action)">
            <label for="user_code">Code shown on the device</label>
            <input type="text" id="user_code" name="user_code" value="\(typed)" placeholder="BCDF-GHJK" \
            autocapitalize="characters" autocomplete="off" spellcheck="false" required autofocus>
            <button class="main">Continue</button>
            </form>
            """)
    }

    static func done(_ isApproved: Bool, _ client: Client?) -> Page {
        let name = client?.name ?? "The device"
        return Page(
            isApproved ? "Connected" : "Not connected",
            isApproved
                ? "<h1>Connected</h1>\n<p><strong>\(name)</strong> continues by itself. You can close this page.</p>"
                : "<h1>Not connected</h1>\n<p><strong>\(name)</strong> was not connected. You can close this page.</p>"
        )
    }
}
