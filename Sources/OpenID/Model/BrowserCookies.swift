import HTTP

/// The cookies of one server in one world, for the host that the browser uses.
///
/// Without TLS they keep to the mount's path. With it they have the prefix `__Host-`, which demands the path `/`; then the mount
/// stands in the name. Sources: RFC 6265bis §4.1.3.
struct BrowserCookies: Sendable {
    private let prefix: String
    private let suffix: String
    private let path: String
    private let isSecure: Bool

    init(_ server: String, _ request: Request) {
        isSecure = request.askedOrigin.hasPrefix("https://")
        let mount = request.mount.split(separator: "/").joined(separator: ".")
        prefix = (isSecure ? "__Host-" : "") + server
        suffix = isSecure && !mount.isEmpty ? "." + mount : ""
        path = isSecure || request.mount.isEmpty ? "/" : request.mount
    }

    /// The session: 64 hex digits.
    var session: String { prefix + ".session" + suffix }
    /// What scripts of the check_session page compare. Source: OpenID Connect Session Management 1.0 §3.2.
    var state: String { prefix + ".opbs" + suffix }
    /// Tells browsers apart, so that a form is taken only from the one that was shown it.
    var browser: String { prefix + ".browser" + suffix }

    func setSession(_ value: String, seconds: Int) -> String {
        line(session, value, seconds: seconds, "HttpOnly; SameSite=Lax")
    }

    /// Readable by scripts, also in a frame on a page of somebody else's.
    func setState(_ value: String, seconds: Int) -> String {
        line(state, value, seconds: seconds, isSecure ? "SameSite=None" : "SameSite=Lax")
    }

    func setBrowser(_ value: String) -> String {
        line(browser, value, seconds: nil, "HttpOnly; SameSite=Lax")
    }

    /// Forgets the session.
    var cleared: [String] { [setSession("", seconds: 0), setState("", seconds: 0)] }

    private func line(_ name: String, _ value: String, seconds: Int?, _ attributes: String) -> String {
        let age = seconds.map { "; Max-Age=\($0)" } ?? ""
        return "\(name)=\(value); Path=\(path)\(age); \(attributes)\(isSecure ? "; Secure" : "")"
    }
}
