import Crypto
import Essentials

/// A link that hands a code to the app on the same device: prefix and code data in base64url.
///
/// Source: REST API, “App-to-app”: `com.nextauth.client` is the scheme of the vendor's own app; a white-label app has another.
struct AppLink {
    static let standardPrefix = "com.nextauth.client:"

    private let prefix: String

    /// A prefix that would run in the page is not taken.
    init(_ server: Server) {
        let scheme = server.appURL?.prefix { $0 != ":" }.asciiLowercased
        let isHarmless = scheme.map { !["javascript", "data", "vbscript"].contains($0) } ?? false
        prefix = isHarmless ? Self.prefix(server.appURL ?? "") : Self.standardPrefix
    }

    /// A bare scheme gets its colon.
    private static func prefix(_ text: String) -> String { text.contains(":") ? text : text + ":" }

    func address(of data: CodeData) -> String { prefix + Base64URL.encode(Array(data.text.utf8)) }

    static func isWebAddress(_ text: String) -> Bool {
        text.hasPrefix("https://") || text.hasPrefix("http://")
    }
}
