import Essentials
import HTTP
import PlatformKit

extension SampleApp {
    /// `POST /portal/login`: begins a login by scanning, and shows its page.
    ///
    /// - Request: an empty form of the portal's own page.
    /// - Response: `303` to the page of the login; the cookie `portal_login` binds it to this browser.
    /// - Errors: `403` for a form of another site, `502` when the token server cannot be used.
    /// - Source: Onegini topic guide “Mobile authentication with OTP”, steps 1 to 3.
    func startLogin(_ request: Request) throws -> Response {
        try requireOwnForm(request)
        let settings = try self.settings(PortalSettings.kept, else: PortalSettings())
        let started = try tokenServer(settings, request).start(
            type: settings.type, message: settings.message, callback: request.baseURL + "/portal/callback")
        guard !started.otp.isEmpty else { throw SampleAppError.transactionEmpty }
        let login = Login(
            id: services.entropy.uuid(for: "app.login"), browser: makeSecret("app.browser"),
            transactionID: started.transactionID, otp: started.otp, state: .waiting, user: nil, reason: nil,
            expiresAt: services.clock.now() + Double(started.timeToLive) / 1000, answeredAt: nil)
        try world.change { try $0.insert(login) }
        return redirect(
            request.mount + "/portal/login/" + login.id,
            cookie: PortalCookie.login.set(login.browser, request))
    }

    /// The token server that the portal uses: by default the one in its own world.
    func tokenServer(_ settings: PortalSettings, _ request: Request) -> TokenServer {
        TokenServer(
            baseURL: settings.tokenServer ?? request.ownURL + "/oauth", clientID: settings.clientID,
            clientSecret: settings.clientSecret, web: services.web)
    }

    /// 256 bits that nobody can guess, as hex digits.
    func makeSecret(_ purpose: String) -> String {
        (1...4).map { _ in services.entropy.identifier(for: purpose) }.joined()
    }

    func redirect(_ path: String, cookie: String) -> Response {
        Response(
            status: .seeOther,
            headers: ["Location": path, "Set-Cookie": cookie, "Cache-Control": "no-store"])
    }

    /// Refuses forms that pages of other sites sent. Source: W3C Fetch Metadata; WHATWG Fetch, `Origin`.
    func requireOwnForm(_ request: Request) throws {
        let origin = request.headers["Origin"]
        if let origin, !request.isOwnOrigin(origin) { throw SampleAppError.crossSite(origin) }
        if origin == nil, request.headers["Sec-Fetch-Site"] == "cross-site" {
            throw SampleAppError.crossSite("which it does not name")
        }
    }
}
