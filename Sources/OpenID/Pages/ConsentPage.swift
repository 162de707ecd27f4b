import HTTP
import PlatformKit

/// Asks a user whether a client may have what it wants.
struct ConsentPage {
    let client: Client
    let user: User?
    let scopes: [Scope]
    let action: String
    let fields: HTML

    var page: Page {
        Page(
            "Allow access",
            """
            \(ClientCard.logo(client))<h1>Allow \(client.name)?</h1>
            <p>You are logged in\(place) as <strong>\(user?.displayName ?? "")</strong>. <strong>\(client.name)</strong> wants to:</p>
            \(ProviderPlayed.note(client))\(Self.list(scopes))
            <form method="post" action="\(action)">
            \(fields)
            <button class="main" name="decision" value="allow">Allow</button>
            <button name="decision" value="deny">Deny</button>
            <button name="decision" value="other">Use another account</button>
            </form>
            \(ClientCard.links(client))
            """)
    }

    private var place: HTML { client.metadata.plays.map { " at \($0)" } ?? .none }

    static func list(_ scopes: [Scope]) -> HTML {
        let items: [HTML] = scopes.map { scope in
            guard let text = scope.description else { return "<li><code>\(scope.name)</code></li>" }
            return "<li>\(text) <code>\(scope.name)</code></li>"
        }
        return "<ul>\n\(items)\n</ul>"
    }

    /// The scopes with what is said of them.
    static func described(_ names: [String], _ known: [Scope]) -> [Scope] {
        names.map { name in known.first { $0.name == name } ?? Scope(name) }
    }
}
