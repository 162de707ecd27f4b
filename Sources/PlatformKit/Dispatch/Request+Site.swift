package import HTTP

extension Request {
    /// Whether `origin` is that of our own pages: under the name by which we hand out URLs, under the name that the client used, or
    /// under the one by which a proxy came.
    package func isOwnOrigin(_ origin: String) -> Bool {
        if origin.equalsIgnoringCase(self.origin) || origin.equalsIgnoringCase(askedOrigin) { return true }
        guard let host = headers["Host"] else { return false }
        return origin.equalsIgnoringCase((peer.isSecure ? "https://" : "http://") + host)
    }

    /// The origin of the web page of another site that makes this request; nil for our own pages and for what is no browser.
    ///
    /// A browser says in `Sec-Fetch-Site` how page and server go together, also where a development server passes the request on
    /// to us, or where it hides the origin; but it says so only to https and to this machine. Source: WHATWG Fetch, “append a
    /// request `Origin` header”; W3C Fetch Metadata §2.3.
    var foreignOrigin: String? {
        let site = headers["Sec-Fetch-Site"]
        if site == "same-origin" || site == "none" { return nil }
        guard let origin = headers["Origin"] else { return site.map { "a \($0.prefix(40)) page" } }
        return isOwnOrigin(origin) ? nil : origin
    }

    /// Whether it changes nothing, by its method. Source: RFC 9110 §9.2.1.
    var isSafe: Bool { method == .get || method == .head || method == .options }

    /// Whether the web page of another site would change something.
    var isForeignChange: Bool { !isSafe && foreignOrigin != nil }
}
