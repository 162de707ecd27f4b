import Essentials

/// A session as the profile lists it. Members without a value are left out. Source: Hanko 2.7, `session.show_on_profile`.
struct ProfileSession: Encodable, Sendable {
    let id: String
    let userAgentRaw: String?
    /// See ``ShortUserAgent``.
    let userAgent: String?
    let ipAddress: String?
    /// Whether it is the one that asks.
    let isCurrent: Bool
    let createdAt: Date
    let expiresAt: Date
    let lastUsed: Date

    init(_ session: Session, isCurrent: Bool) {
        id = session.id
        userAgentRaw = session.userAgent
        userAgent = session.userAgent.map(ShortUserAgent.text)
        ipAddress = session.ipAddress
        self.isCurrent = isCurrent
        createdAt = session.createdAt
        expiresAt = session.expiresAt
        lastUsed = session.lastUsed
    }

    enum CodingKeys: String, CodingKey {
        case id
        case userAgentRaw = "user_agent_raw"
        case userAgent = "user_agent"
        case ipAddress = "ip_address"
        case isCurrent = "current"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case lastUsed = "last_used"
    }
}

/// A `User-Agent` in the short form that people read: `Linux (Chrome)`.
///
/// Source: Hanko 1.2 and later, sessions of the profile; the names are those of the Go package mileusna/useragent. An unknown
/// system is nothing, `curl/8.5.0` therefore ` (curl)`, as there.
enum ShortUserAgent {
    static func text(_ userAgent: String) -> String { "\(system(userAgent)) (\(name(userAgent)))" }

    private static func system(_ userAgent: String) -> String {
        systems.first { userAgent.contains($0.mark) }?.name ?? ""
    }

    /// The product, or else the first word without its version.
    private static func name(_ userAgent: String) -> String {
        products.first { userAgent.contains($0.mark) }?.name
            ?? String(userAgent.prefix { $0 != "/" && $0 != " " })
    }

    // What others pretend to be comes last.
    private static let systems: [(mark: String, name: String)] = [
        ("Windows Phone", "Windows Phone"), ("Android", "Android"), ("iPhone", "iOS"),
        ("iPad", "iOS"), ("iPod", "iOS"), ("Windows", "Windows"), ("Macintosh", "macOS"),
        ("CrOS", "ChromeOS"), ("FreeBSD", "FreeBSD"), ("Linux", "Linux"),
    ]

    private static let products: [(mark: String, name: String)] = [
        ("Opera Mini/", "Opera Mini"), ("OPR/", "Opera"), ("OPT/", "Opera Touch"),
        ("EdgiOS/", "Edge"), ("EdgA/", "Edge"), ("Edg/", "Edge"), ("Edge/", "Edge"),
        ("SamsungBrowser/", "Samsung Browser"), ("Vivaldi/", "Vivaldi"), ("FxiOS/", "Firefox"),
        ("Firefox/", "Firefox"), ("CriOS/", "Chrome"), ("HeadlessChrome/", "Headless Chrome"),
        ("Chrome/", "Chrome"), ("Trident/", "Internet Explorer"), ("MSIE ", "Internet Explorer"),
        ("Safari/", "Safari"),
    ]
}
