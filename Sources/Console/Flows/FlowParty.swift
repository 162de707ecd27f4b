import Essentials
import HTTP
import PlatformKit

/// Who takes part in a flow: a lifeline of its drawing.
struct FlowParty: Hashable, Sendable {
    enum Kind: String, Sendable, Encodable {
        case app, phone, browser
        case backEnd = "back end"
        case platform, mailbox
        case receiver = "callback receiver"
    }

    let kind: Kind
    /// What people read: `browser`, `phone ada`, `sample app`, `hanko`.
    let name: String

    init(_ kind: Kind, _ name: String? = nil) { (self.kind, self.name) = (kind, name ?? kind.rawValue) }

    /// - Parameter platform: its name; nil for a path that belongs to none.
    init(platform: String?) {
        self.init(.platform, platform == "app" ? "sample app" : platform ?? "understudy")
    }

    /// Who answered a request: the platform, or the real service in its place.
    init(receiverOf entry: JournalEntry) {
        self.init(platform: entry.platform)
        if entry.upstream != nil { self.init(.platform, name + " (upstream)") }
    }

    static let mailbox = FlowParty(.mailbox)
    static let browser = FlowParty(.browser)
}

extension FlowParty {
    /// Who sent a request: what it says itself, or else whom its route is meant for.
    ///
    /// - Parameter exchange: nil where its headers are not known.
    init(senderOf entry: JournalEntry, _ exchange: JournalEntry.Exchange?) {
        let headers = exchange?.requestHeaders ?? [:]
        let agent = headers["User-Agent"] ?? ""
        if let name = Self.phone(entry.correlation) {
            self.init(.phone, "phone " + name)
        } else if let name = Self.caller(agent) {
            self.init(platform: name)
        } else if headers["Sec-Fetch-Mode"] != nil || agent.hasPrefix("Mozilla/") {
            self = .browser
        } else {
            self.init(entry.audience ?? .app, exchange, agent)
        }
    }

    private init(_ audience: Audience, _ exchange: JournalEntry.Exchange?, _ agent: String) {
        switch audience {
        case .app: self.init(.app, Self.system(agent))
        case .browser: self = .browser
        case .backEnd: self.init(.backEnd)
        case .platform: self.init(.platform, "platform")
        case .client:
            if exchange?.provesClient == true {
                self.init(.backEnd)
            } else {
                self.init(.app, Self.system(agent))
            }
        }
    }

    /// `ada` of `phone.ada.3f…`, as ``Handset`` names its requests.
    private static func phone(_ correlation: String?) -> String? {
        guard let correlation, correlation.hasPrefix("phone.") else { return nil }
        let parts = correlation.split(separator: ".")
        return parts.count == 3 ? String(parts[1]) : nil
    }

    /// `app` of `understudy (app)`.
    private static func caller(_ agent: String) -> String? {
        guard agent.hasPrefix("understudy ("), agent.hasSuffix(")") else { return nil }
        return String(agent.dropFirst(12).dropLast())
    }

    /// As far as an app tells where it runs.
    private static func system(_ agent: String) -> String? {
        if agent.isEmpty { return nil }
        let agent = agent.asciiLowercased
        if ["android", "okhttp", "dalvik"].contains(where: agent.contains) { return "Android app" }
        return ["ios", "iphone", "cfnetwork", "darwin"].contains(where: agent.contains) ? "iOS app" : nil
    }
}

extension JournalEntry.Exchange {
    /// Whether a client of OAuth says by a secret who it is. Source: OpenID Connect Core 1.0 §9.
    fileprivate var provesClient: Bool {
        if requestHeaders["Authorization"]?.asciiLowercased.hasPrefix("basic ") == true { return true }
        let body = requestBody.text ?? ""
        return body.contains("client_secret=") || body.contains("client_assertion=")
    }
}
