import Essentials
import HTTP
import PlatformKit
import QRCode
import SQLite

extension SampleApp {
    /// `GET /portal/login/{id}`: the page with the QR code, which looks again every two seconds.
    ///
    /// - Request: the cookie `portal_login` of the browser in which the login began.
    /// - Response: `200` with the page while the answer is awaited, or with the reason when there will be none; `303` to the portal
    ///   with a new session once the user said yes.
    /// - Errors: `404` for a login that is not this browser's.
    /// - Source: Onegini topic guide “Mobile authentication with OTP”, steps 3 and 10.
    func showLogin(_ request: Request) throws -> Response {
        let settings = try self.settings(PortalSettings.kept, else: PortalSettings())
        let login = try requireLogin(request)
        switch login.standing(at: services.clock.now(), takeUpSeconds: settings.takeUpSeconds) {
        case .waiting(let seconds):
            let phone = PhoneLink.html(login.otp, request, services)
            return PortalPage.scan(try code(of: login), login, secondsLeft: seconds, phone: phone)
        case .approved(let user):
            return try takeUp(login, of: user, settings, request)
        case .refused(let reason):
            return PortalPage.ended("Nobody was logged in: \(reason).", request)
        case .expired:
            return PortalPage.ended("This login has expired.", request)
        case .used:
            return PortalPage.ended("This login was used already.", request)
        }
    }

    private func code(of login: Login) throws -> QRCode {
        do {
            return try QRCode(text: login.otp)
        } catch {
            throw SampleAppError.codeUnshowable(error.description)
        }
    }

    /// The session gets a new secret: whoever saw the address or the first cookie has nothing by it.
    private func takeUp(
        _ login: Login, of user: String, _ settings: PortalSettings, _ request: Request
    ) throws -> Response {
        let session = Session(
            id: makeSecret("app.session"), user: user,
            expiresAt: services.clock.now() + Double(settings.sessionSeconds))
        guard try takeUp(login, as: session) else {
            return PortalPage.ended("This login was used already.", request)
        }
        var response = redirect(
            request.mount + "/portal", cookie: PortalCookie.session.set(session.id, request))
        response.headers.add("Set-Cookie", PortalCookie.login.clear(request))
        return response
    }

    private func requireLogin(_ request: Request) throws -> Login {
        let id = request.parameter("id")
        guard let login = try database.read({ try $0.first(Login.self, where: "id = \(id)") }) else {
            throw SampleAppError.loginUnknown(id, isOfAnotherBrowser: false)
        }
        guard request.cookie(PortalCookie.login.rawValue) == login.browser else {
            throw SampleAppError.loginUnknown(id, isOfAnotherBrowser: true)
        }
        return login
    }
}
