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

    /// What is typed or followed, for lists, as it looks at the time `now`.
    func secret(at now: String) -> HTML {
        if let typedCode { return shown(typedCode, at: now) }
        return code == nil ? .none : shownLink ?? .none
    }

    /// The code with its look: one that is used up or expired is struck out, and says so.
    func shown(_ code: String, at now: String) -> HTML {
        let look: HTML = code.count > 12 ? "code long" : "code"
        let state: HTML = spent(at: now).map { " data-state=\"\($0)\"" } ?? .none
        let expiry: HTML = expiresAt.map { " data-expires=\"\($0)\"" } ?? .none
        return "<code class=\"\(look)\" data-copy\(expiry)\(state)>\(code)</code>"
    }

    /// `used` or `expired`; nil while the code can be typed. Times of the API compare as text.
    private func spent(at now: String) -> String? {
        usedAt != nil ? "used" : expiresAt.flatMap { $0 <= now ? "expired" : nil }
    }

    /// Pushes and text messages may have none: their first line says what they are about.
    var shownSubject: String {
        if !subject.isEmpty { return subject }
        let line = text.split(whereSeparator: \.isNewline).first.map { String($0).shortened }
        return channel == Message.Channel.mail.rawValue ? "(no subject)" : (line ?? "").shownTitle
    }

    /// When code or link were used up or stop working, told at the time `now`; nil when they never do.
    func expiry(at now: String) -> HTML? {
        if let usedAt { return "<span class=\"expiry used\">used \(.time(usedAt))</span>" }
        return expiresAt.map {
            "<span class=\"expiry\">\($0 <= now ? "expired" : "expires") \(.time($0))</span>"
        }
    }
}

extension Message.Address {
    /// `Ada <ada@example.com>`, or the address alone.
    var shown: String {
        guard let name, !name.isEmpty else { return address }
        return "\(name) <\(address)>"
    }
}
