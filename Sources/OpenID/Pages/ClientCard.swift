import Essentials
import HTTP

/// What a client shows of itself on the pages. Source: OpenID Connect Dynamic Client Registration 1.0 §2.
enum ClientCard {
    static func logo(_ client: Client?) -> HTML {
        guard let uri = web(client?.metadata.logoURI) else { return .none }
        return "<img src=\"\(uri)\" alt=\"\" referrerpolicy=\"no-referrer\">\n"
    }

    static func links(_ client: Client?) -> HTML {
        let links: [HTML] = [
            ("Website", client?.metadata.clientURI), ("Privacy policy", client?.metadata.policyURI),
            ("Terms of service", client?.metadata.tosURI),
        ].compactMap { name, uri in
            web(uri).map { "<a href=\"\($0)\" rel=\"noopener noreferrer\">\(name)</a>" }
        }
        return links.isEmpty ? .none : "<p class=\"soft\">\(links)</p>"
    }

    /// Only what a browser can show: a link of another scheme could be a script.
    private static func web(_ uri: String?) -> String? {
        guard let uri, uri.asciiLowercased.hasPrefix("https://") || uri.asciiLowercased.hasPrefix("http://")
        else {
            return nil
        }
        return uri
    }
}
