import Essentials
import HTTP
import PlatformKit

extension SampleApp {
    /// `POST /authzurl`: an app asks where its user signs in.
    ///
    /// - Request: no body.
    /// - Response: `200 {"authorizeURL"}`, with a state and a nonce of its own; the cookie `miracl_login` for one that is a page.
    /// - Errors: `502` when MIRACL cannot be used.
    /// - Source: MIRACL's sample for iOS.
    func makeAuthorizeURL(_ request: Request) throws -> Response {
        let (url, login) = try beginMIRACLLogin(request)
        var response = answer(["authorizeURL": .string(url)])
        response.headers["Set-Cookie"] = MIRACLCookie.login.set(login.browser, request)
        return response
    }

    /// `GET /miracl`: who is signed in, or the way to do so.
    ///
    /// - Request: the cookie `miracl_session`, where there is one.
    /// - Response: `200` with a page.
    /// - Errors: none.
    /// - Source: ours.
    func showMIRACL(_ request: Request) throws -> Response {
        guard let id = request.cookie(MIRACLCookie.session.rawValue),
            let session = try self.session(id)
        else { return MIRACLPage.welcome(request) }
        return MIRACLPage.home(of: session.user, request)
    }

    /// `POST /miracl/login`: the page's button.
    ///
    /// - Request: an empty form of the page.
    /// - Response: `303` to MIRACL; the cookie `miracl_login` binds the login to this browser.
    /// - Errors: `403` for a form of another site, `502` when MIRACL cannot be used.
    /// - Source: ours.
    func startMIRACLLogin(_ request: Request) throws -> Response {
        try requireOwnForm(request)
        let (url, login) = try onPage { try beginMIRACLLogin(request) }
        return redirect(url, cookie: MIRACLCookie.login.set(login.browser, request))
    }

    /// `POST /miracl/logout`: ends the session of this browser.
    ///
    /// - Request: an empty form of the page.
    /// - Response: `303` to the page.
    /// - Errors: `403` for a form of another site.
    /// - Source: ours.
    func endMIRACLSession(_ request: Request) throws -> Response {
        try requireOwnForm(request)
        if let id = request.cookie(MIRACLCookie.session.rawValue) { try end(session: id) }
        return redirect(request.mount + "/miracl", cookie: MIRACLCookie.session.clear(request))
    }

    private func beginMIRACLLogin(_ request: Request) throws -> (url: String, login: MIRACLLogin) {
        let settings = try self.settings(MIRACLSettings.kept, else: MIRACLSettings())
        let provider = provider(settings, request)
        let login = MIRACLLogin(
            state: makeSecret("app.miracl.state"), nonce: makeSecret("app.miracl.nonce"),
            browser: makeSecret("app.miracl.browser"), redirectURI: request.baseURL + "/login",
            startedAt: services.clock.now(), usedAt: nil)
        let url = provider.authorizationURL(
            try provider.metadata(),
            [
                ("client_id", settings.clientID), ("redirect_uri", login.redirectURI),
                ("response_type", "code"), ("scope", "openid email"), ("state", login.state),
                ("nonce", login.nonce),
            ])
        try begin(login)
        return (url, login)
    }

    /// MIRACL as the back end uses it: by default the one in its own world, called by the name under which this server reaches itself.
    func provider(_ settings: MIRACLSettings, _ request: Request) -> MIRACLProvider {
        MIRACLProvider(
            issuer: settings.issuer ?? request.worldURL + "/miracl",
            base: settings.issuer ?? request.ownURL + "/miracl", clientID: settings.clientID,
            clientSecret: settings.clientSecret, web: services.web)
    }

    /// Refusals become pages.
    func onPage<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as MIRACLLoginError {
            throw MIRACLLoginError.onPage(error)
        }
    }
}
