import Essentials
import HTTP
import PlatformKit

/// Where a user logs in: a button for each, a form for name and password, and, folded away, one for anybody with any claims.
struct LoginPage {
    /// More would be no choice any more; the others log in by name.
    static let buttonLimit = 50

    let title: String
    let client: Client?
    let users: [User]
    /// Whom the request means; the first button.
    let hinted: User?
    let username: String
    /// What was typed for somebody else, when that was refused.
    let person: String?
    let claims: String
    let error: String?
    let action: String
    let fields: HTML

    var page: Page {
        Page(
            heading,
            """
            \(ClientCard.logo(client))<h1>\(heading)</h1>
            <p>\(purpose)</p>
            \(ProviderPlayed.note(client))\(warning)\(buttons)
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
            \(byHand)
            <form method="post" action="\(action)">
            \(fields)
            <button name="decision" value="cancel">Cancel</button>
            </form>
            \(ClientCard.links(client))
            """)
    }

    private var heading: String { client?.metadata.plays.map { "Sign in with \($0)" } ?? "Log in" }

    private var purpose: HTML {
        guard let client else { return "To continue at \(title)." }
        return "To continue to <strong>\(client.name)</strong>."
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

    /// Open when what was typed comes back.
    private var byHand: HTML {
        let open: HTML = person == nil ? "" : " open"
        let who = person ?? (hinted ?? users.first)?.subject ?? ""
        return """
            <details\(open)>
            <summary>Another user, or other claims</summary>
            <form method="post" action="\(action)">
            \(fields)
            <label for="person">User</label>
            <input type="text" id="person" name="person" value="\(who)" autocapitalize="none" autocomplete="off" spellcheck="false" \
            maxlength="255" aria-describedby="person-hint" required>
            <p class="soft" id="person-hint">A user, or a new subject: then a user of that name is made up.</p>
            <label for="claims">Claims for this login</label>
            <textarea id="claims" name="claims" rows="5" spellcheck="false" aria-describedby="claims-hint" \
            placeholder="{&quot;roles&quot;: [&quot;admin&quot;], &quot;email_verified&quot;: false}">\(claims)</textarea>
            <p class="soft" id="claims-hint">JSON. They stand over the user's own until this session ends.</p>
            <button>Log in as this user</button>
            </form>
            </details>
            """
    }
}

/// A page that plays the sign-in of another provider says so.
enum ProviderPlayed {
    static func note(_ client: Client?) -> HTML {
        guard let name = client?.metadata.plays else { return .none }
        return """
            <p class="soft">Understudy plays \(name) here. These are people of the fixtures, and none of them has an account there.</p>

            """
    }
}
