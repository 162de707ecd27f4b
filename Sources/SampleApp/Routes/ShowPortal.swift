import HTTP
import PlatformKit

extension SampleApp {
    /// `GET /portal`: who is logged in, or the way to do so.
    ///
    /// - Request: the cookie `portal_session`, where there is one.
    /// - Response: `200` with a page.
    /// - Errors: none.
    /// - Source: ours.
    func showPortal(_ request: Request) throws -> Response {
        guard let id = request.cookie(PortalCookie.session.rawValue),
            let session = try self.session(id)
        else { return PortalPage.welcome(request) }
        return PortalPage.home(of: session.user, request)
    }

    /// `POST /portal/logout`: ends the session of this browser.
    ///
    /// - Request: an empty form of the portal's own page.
    /// - Response: `303` to the portal.
    /// - Errors: `403` for a form of another site.
    /// - Source: ours.
    func logOut(_ request: Request) throws -> Response {
        try requireOwnForm(request)
        if let id = request.cookie(PortalCookie.session.rawValue) { try end(session: id) }
        return redirect(request.mount + "/portal", cookie: PortalCookie.session.clear(request))
    }
}
