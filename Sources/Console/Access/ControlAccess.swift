import HTTP

/// Who may use the control API and the pages.
///
/// A browser carries requests of any web page to this machine, so those of other sites are refused (WHATWG Fetch, «Origin»;
/// W3C Fetch Metadata). Beyond loopback, a token is asked for as well. Whether the `Host` is ours is settled before.
package struct ControlAccess: Sendable {
    /// Nil when no token is asked for.
    let token: String?

    package init(token: String?) { self.token = token }

    static let cookie = "understudy_control"

    /// - Parameter isPage: a page may be opened by a link from anywhere; it changes nothing.
    /// - Throws: ``ControlError/crossSite``.
    func refuseCrossSite(_ request: Request, isPage: Bool) throws {
        if let origin = request.headers["Origin"], !isOurs(origin, request) {
            throw ControlError.crossSite(
                "The request comes from a web page of \(origin.prefix(100)), and only pages of \(request.origin) may do that."
            )
        }
        guard let site = request.headers["Sec-Fetch-Site"], !["same-origin", "none"].contains(site) else {
            return
        }
        guard isPage, isNavigation(request) else {
            throw ControlError.crossSite(
                "The browser says that a \(site.prefix(40)) web page made this request, and only pages of Understudy may do that. "
                    + "Call the control API from the test or the back end instead.")
        }
    }

    /// - Throws: ``ControlError/tokenMissing`` or ``ControlError/tokenWrong``.
    func requireToken(_ request: Request) throws {
        guard let token, !allowsPage(request) else { return }
        guard let bearer = bearer(request) else { throw ControlError.tokenMissing }
        guard isSame(bearer, token) else { throw ControlError.tokenWrong }
    }

    /// Whether the request brings the token as a cookie, or none is asked for.
    func allowsPage(_ request: Request) -> Bool {
        guard let token else { return true }
        return request.cookie(Self.cookie).map { isSame($0, Self.cookieValue(token)) } ?? false
    }

    /// Whether `given` is the token, in a time that does not tell how much of it is right.
    func isToken(_ given: String) -> Bool { token.map { isSame(given, $0) } ?? true }

    /// The cookie that a browser keeps; no script reads it and no other site sends it.
    func setCookie(isSecure: Bool) -> String {
        "\(Self.cookie)=\(Self.cookieValue(token ?? "")); Path=/; HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }

    /// The page's own origin: under the name by which we hand out URLs, or under the name that the client used.
    private func isOurs(_ origin: String, _ request: Request) -> Bool {
        if origin.equalsIgnoringCase(request.origin) { return true }
        guard let host = request.headers["Host"] else { return false }
        return origin.equalsIgnoringCase((request.peer.isSecure ? "https://" : "http://") + host)
    }

    /// A link that was followed, or an address that was typed, in the whole of a tab.
    private func isNavigation(_ request: Request) -> Bool {
        (request.method == .get || request.method == .head) && request.headers["Sec-Fetch-Mode"] == "navigate"
            && request.headers["Sec-Fetch-Dest"].map { $0 == "document" } ?? true
    }

    /// Source: RFC 6750 §2.1.
    private func bearer(_ request: Request) -> String? {
        guard let value = request.headers["Authorization"] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, String(parts[0]).equalsIgnoringCase("Bearer") else { return nil }
        return String(parts[1])
    }

    /// Source: RFC 6265 §4.1.1 allows fewer bytes in a cookie than a token may have.
    private static func cookieValue(_ token: String) -> String {
        token.utf8.map { byte in
            let isPlain = Character(Unicode.Scalar(byte)).isLetter || (0x30...0x39).contains(byte)
            return isPlain && byte < 0x80 ? String(Unicode.Scalar(byte)) : "-\(byte)-"
        }.joined()
    }

    private func isSame(_ given: String, _ expected: String) -> Bool {
        let (given, expected) = (Array(given.utf8), Array(expected.utf8))
        var difference = given.count ^ expected.count
        for index in given.indices {
            difference |= Int(given[index] ^ (expected.isEmpty ? 0 : expected[index % expected.count]))
        }
        return difference == 0
    }
}
