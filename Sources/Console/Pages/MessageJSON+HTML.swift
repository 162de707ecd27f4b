import Essentials
import HTTP
import PlatformKit

extension MessageJSON {
    /// What it is and who sent it.
    var about: String { kind.isEmpty ? source : "\(kind) · \(source)" }

    /// The code, where it is one to type: a long one that stands in the link is a part of that.
    var typedCode: String? {
        guard let code, code.count > 12, let link, link.contains(code) else { return code }
        return nil
    }

    /// A link to follow only where it leads to the web: nothing else is run by a click.
    var shownLink: HTML? {
        guard let link else { return nil }
        let isWeb = ["http://", "https://"].contains { link.asciiLowercased.hasPrefix($0) }
        return isWeb
            ? "<a class=\"link\" href=\"\(link)\" rel=\"noreferrer noopener\" data-copy>\(link)</a>"
            : "<code class=\"link\" data-copy>\(link)</code>"
    }

    /// What is typed or followed, for lists.
    var secret: HTML {
        if let typedCode {
            let look: HTML = typedCode.count > 12 ? "code long" : "code"
            return "<code class=\"\(look)\" data-copy>\(typedCode)</code>"
        }
        return code == nil ? .none : shownLink ?? .none
    }

    var shownSubject: String { subject.isEmpty ? "(no subject)" : subject }

    /// When code or link stop working, told at the time `now`; nil when they never do. Times of the API compare as text.
    func expiry(at now: String) -> HTML? {
        expiresAt.map { "<span class=\"expiry\">\($0 <= now ? "expired" : "expires") \(.time($0))</span>" }
    }
}

extension Message.Address {
    /// `Ada <ada@example.com>`, or the address alone.
    var shown: String {
        guard let name, !name.isEmpty else { return address }
        return "\(name) <\(address)>"
    }
}
