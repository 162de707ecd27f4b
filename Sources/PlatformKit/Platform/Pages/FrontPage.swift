package import HTTP

/// What a browser sees that opens the base address of a platform, where the platform itself answers nothing, or a plain page: what it is, and
/// where to look.
package struct FrontPage<P: Platform> {
    private static var discovery: String { "/.well-known/openid-configuration" }

    private let request: Request
    private let mount: Mount<P>
    private let lead: HTML

    /// Nil for another path, and for a client that wants no page. A platform with pages for people shows its own to whoever takes anything,
    /// such as `curl`.
    ///
    /// - Parameter lead: what the platform itself says, before the rest.
    package init?(_ request: Request, lead: HTML = "") {
        let isLook = request.method == .get || request.method == .head
        let isForPeople = P.self is any ShowsPages.Type
        guard isLook, request.wantsPage(orAnything: isForPeople),
            let mount = P.mounts.first(where: { ["/" + $0.path, "/" + $0.path + "/"].contains(request.path) })
        else { return nil }
        (self.request, self.mount, self.lead) = (request, mount, lead)
    }

    package var response: Response {
        Page(
            P.title,
            """
            <h1>\(P.title)</h1>
            \(lead)
            <p>Understudy's base address of \(P.title), for apps and back ends: <code>\(request.baseURL)</code></p>
            <ul>
            \(links.map { "<li><a href=\"\($0.address)\">\($0.title)</a></li>" as HTML })
            </ul>
            """
        ).response
    }

    private var links: [(title: String, address: String)] {
        let console = request.worldURL
        var links = [("Console: connect an app", console + "/?platform=\(P.name)#connect")]
        if mount.routes.contains(where: { $0.pattern == Self.discovery }) {
            links.append(("Discovery document", request.baseURL + Self.discovery))
        }
        if mount.path == P.mountPaths.first {
            links += ((P.self as? any ShowsPages.Type)?.pages ?? []).map {
                ($0.title, request.baseURL + $0.path)
            }
        }
        return links + [
            ("Requests in the journal", console + "/journal?platform=" + P.name),
            ("People and devices", console + "/devices?platform=" + P.name),
        ]
    }
}

extension Request {
    fileprivate func wantsPage(orAnything: Bool) -> Bool {
        headers.values(of: "Accept").contains { field in
            field.contains("text/html") || (orAnything && field.contains("*/*"))
        }
    }
}
