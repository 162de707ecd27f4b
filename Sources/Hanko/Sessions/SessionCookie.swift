import PlatformKit

/// How session tokens travel in cookies.
///
/// Attributes stand in the order of the original: `Path`, `Domain`, `Max-Age`, `HttpOnly`, `Secure`, `SameSite`.
struct SessionCookie: ConfigurationSection {
    var name = "hanko"
    var domain: String?
    var isHTTPOnly = true
    var isSecure = true
    var sameSite: SameSite = .strict
    var retention: Retention = .persistent

    static let members: [ConfigurationMember<Self>] = [
        // Hanko takes the empty text for nothing.
        .taking("name") { (cookie, name: String) in if !name.isEmpty { cookie.name = name } },
        .text("domain", \.domain), .value("http_only", \.isHTTPOnly), .value("secure", \.isSecure),
        .value("same_site", \.sameSite), .value("retention", \.retention),
    ]

    enum SameSite: String, Decodable, Sendable {
        case strict, lax, none

        /// As a cookie spells it.
        fileprivate var attribute: String {
            switch self {
            case .strict: "Strict"
            case .lax: "Lax"
            case .none: "None"
            }
        }
    }

    enum Retention: String, Decodable, Sendable { case persistent, session, prompt }

    func check() throws {
        for (member, text) in [("name", name), ("domain", domain ?? name)] {
            do {
                try Self.check(text)
            } catch {
                throw FixtureProblem(at: [member], error.reason)
            }
        }
    }

    /// That a cookie can carry the text.
    static func check(_ text: String) throws(FixtureProblem) {
        // RFC 6265 §4.1.1: a token, and nothing that ends an attribute.
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }) else {
            throw FixtureProblem(at: [], "“\(text)” holds a character that a cookie cannot carry")
        }
    }

    /// Whether the browser keeps it beyond its own session. Without it `Max-Age` is left out.
    var isPersistent: Bool { retention == .persistent }

    /// Value of `Set-Cookie` that hands `token` over.
    ///
    /// - Parameter isPersistent: as the configuration has it when left out.
    func carrying(_ token: String, lifespanSeconds: Int, isPersistent: Bool? = nil) -> String {
        header(token, maxAge: isPersistent ?? self.isPersistent ? lifespanSeconds : nil)
    }

    /// Value of `Set-Cookie` that makes the client forget the cookie.
    var cleared: String { header("", maxAge: 0) }

    /// The address that a user is about to confirm, remembered by the client that registered it: `hanko_email_id`.
    func carryingAddress(_ emailID: String) -> String {
        let domain = domain.map { "; Domain=\($0)" } ?? ""
        return "\(Self.addressName)=\(emailID)\(domain); HttpOnly; Secure; SameSite=None"
    }

    static let addressName = "hanko_email_id"

    private func header(_ value: String, maxAge: Int?) -> String {
        var parts = ["\(name)=\(value)", "Path=/"]
        if let domain { parts.append("Domain=\(domain)") }
        if let maxAge { parts.append("Max-Age=\(maxAge)") }
        if isHTTPOnly { parts.append("HttpOnly") }
        if isSecure { parts.append("Secure") }
        parts.append("SameSite=\(sameSite.attribute)")
        return parts.joined(separator: "; ")
    }
}
