import HTTP
import PlatformKit

/// Who may use the control API and the pages.
///
/// A browser carries requests of any web page to this machine, so those of other sites are refused (WHATWG Fetch, “Origin”;
/// W3C Fetch Metadata). Beyond loopback, a token is asked for as well. Whether the `Host` is ours is settled before.
package struct ControlAccess: Sendable {
    let token: ControlToken

    /// - Parameter token: nil when none is asked for.
    package init(token: String?) { self.token = ControlToken(token) }

    /// - Parameter isPage: a page may be opened by a link from anywhere; it changes nothing.
    /// - Throws: ``ControlError/crossSite``.
    func refuseCrossSite(_ request: Request, isPage: Bool) throws {
        if let origin = request.headers["Origin"], !request.isOwnOrigin(origin) {
            throw ControlError.crossSite(
                "The request comes from a web page of \(origin.prefix(100)); only pages of \(request.origin) may make it."
            )
        }
        guard let site = request.headers["Sec-Fetch-Site"], !["same-origin", "none"].contains(site) else {
            return
        }
        guard isPage, isNavigation(request) else {
            throw ControlError.crossSite(
                "The browser says that a \(site.prefix(40)) web page made this request; only pages of Understudy may make it. "
                    + "Call the control API from the test or the back end instead.")
        }
    }

    /// - Throws: ``ControlError/tokenMissing`` or ``ControlError/tokenWrong``.
    func requireToken(_ request: Request) throws {
        switch token.verdict(on: request) {
        case .right: return
        case .missing: throw ControlError.tokenMissing
        case .wrong: throw ControlError.tokenWrong
        }
    }

    /// A link that was followed, or an address that was typed, in the whole of a tab.
    private func isNavigation(_ request: Request) -> Bool {
        (request.method == .get || request.method == .head) && request.headers["Sec-Fetch-Mode"] == "navigate"
            && request.headers["Sec-Fetch-Dest"].map { $0 == "document" } ?? true
    }
}
