import Essentials
import HTTP

/// Where a user logs in: a button for each, and a form for name and password.
struct LoginPage {
    /// More would be no choice any more; the others log in by name.
    static let buttonLimit = 50

    let title: String
    let client: Client?
    let users: [User]
    /// Whom the request means; the first button.
    let hinted: User?
    let username: String
    let error: String?
    let action: String
    let fields: HTML

    var page: Page {
        Page(
            "Log in",
            """
            \(ClientCard.logo(client))<h1>Log in</h1>
            <p>\(purpose)</p>
            \(warning)\(buttons)
            <h2>\(users.isEmpty ? "With a password" : "Or with a password")</h2>
            <form method="post" action="\(action)">
            \(fields)
            <label for="username">User name</label>
            <input type="text" id="username" name="username" value="\(username)" autocomplete="username" \
            autocapitalize="none" spellcheck="false" required>
            <label for="password">Password</label>
            <input type="password" id="password" name="password" autocomplete="off">
            <button class="main">Log in</button>
            </form>
            \(ClientCard.links(client))
            """)
    }

    private var purpose: HTML {
        guard let client else { return "To go on at \(title)." }
        return "To go on to <strong>\(client.name)</strong>."
    }

    private var warning: HTML { error.map { "<p class=\"error\" role=\"alert\">\($0)</p>\n" } ?? .none }

    private var buttons: HTML {
        let others = users.filter { $0.subject != hinted?.subject }
        let shown = ([hinted].compactMap { $0 } + others).prefix(Self.buttonLimit)
        if shown.isEmpty { return "<p class=\"soft\">The fixtures have no users.</p>" }
        return """
            <form method="post" action="\(action)">
            \(fields)
            \(shown.map { Self.button($0, isFirst: $0 == hinted) })
            </form>
            """
    }

    private static func button(_ user: User, isFirst: Bool) -> HTML {
        let focus: HTML = isFirst ? " autofocus" : ""
        return """
            <button name="subject" value="\(user.subject)"\(focus)>\(user.displayName)<small>\(about(user))</small></button>
            """
    }

    private static func about(_ user: User) -> String {
        [user.username, user.claims["email"]?.string, user.claims["phone_number"]?.string].compactMap { $0 }
            .reduce(into: [String]()) { parts, part in if !parts.contains(part) { parts.append(part) } }
            .joined(separator: " · ")
    }
}
