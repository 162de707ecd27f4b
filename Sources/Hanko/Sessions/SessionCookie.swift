import PlatformKit

/// How session tokens travel in cookies.
///
/// Attributes stand in the order of the original: `Path`, `Domain`, `Max-Age`, `HttpOnly`, `Secure`, `SameSite`.
struct SessionCookie: Sendable, Equatable {
    let name: String
    let domain: String?
    let isHTTPOnly: Bool
    let isSecure: Bool
    /// `Strict`, `Lax` or `None`.
    let sameSite: String
    let retention: ConfigurationFixture.Session.Cookie.Retention

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
        parts.append("SameSite=\(sameSite)")
        return parts.joined(separator: "; ")
    }
}

extension SessionCookie {
    init(_ config: ConfigurationFixture.Session.Cookie?) throws {
        self.init(
            name: try Self.checked(config?.name, at: ["config", "session", "cookie", "name"]) ?? "hanko",
            domain: try Self.checked(config?.domain, at: ["config", "session", "cookie", "domain"]),
            isHTTPOnly: config?.isHTTPOnly ?? true,
            isSecure: config?.isSecure ?? true,
            sameSite: (config?.sameSite ?? .strict).attribute,
            retention: config?.retention ?? .persistent)
    }

    /// Nil for nothing and for the empty text, which Hanko takes for nothing.
    static func checked(_ text: String?, at path: [String]) throws -> String? {
        guard let text, !text.isEmpty else { return nil }
        // RFC 6265 §4.1.1: a token, and nothing that ends an attribute.
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }) else {
            throw FixtureProblem(
                at: path, "\"\(text)\" holds a character that a cookie cannot carry")
        }
        return text
    }
}
