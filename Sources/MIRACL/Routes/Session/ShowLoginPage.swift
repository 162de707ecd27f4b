import Essentials
import HTTP
import OpenID
import PlatformKit
import QRCode
import SQLite

extension MIRACL {
    /// `GET /authorize`: the login page of a relying party's user: a code to scan.
    ///
    /// - Request: an OpenID Connect authorization request; `prerollid` names the user, `acttoken` is the activation token of one whom the
    ///   relying party verified itself, `lang` changes nothing.
    /// - Response: `200` with a page that shows how far the phone is, and leaves for the relying party when it is done.
    /// - Errors: a page while client or redirect URI are wrong, a redirect with `error` after that.
    /// - Source: the vendor's documentation of OpenID Connect and of custom user verification. The page is ours.
    func showLoginPage(_ request: Request) throws -> Response {
        let form = request.queryItems
        let (asked, project) = try sessions.readAuthorization(form, at: request)
        var session = sessions.makeSession(in: project, request)
        session.authorization = asked
        session.prerollID = form.text("prerollid") ?? asked.loginHint
        try sessions.open(session)
        var page = try loginPage(session, project, request)
        page.activation = try form.text("acttoken").map { try activation($0, in: project) }
        return page.page.response
    }

    /// `GET /authorize/wait/{webOTT}`: the same page later on.
    ///
    /// - Request: nothing.
    /// - Response: `200` with the page; once the phone proved the PIN, `303` to the relying party, or a page that posts the code to it
    ///   (`response_mode=form_post`).
    /// - Errors: `404 INVALID_AUTH_SESSION`.
    /// - Source: ours, so that the page works without scripts.
    func showWaitingPage(_ request: Request) throws -> Response {
        let session = try sessions.requireSession(webOTT: request.parameter("ott"), isPage: true)
        if let target = session.redirectURL, let asked = session.authorization {
            return asked.response(to: target)
        }
        guard let project = try projects.find(session.projectID) else {
            throw SessionRefusal.webOTTUnknown(isPage: true)
        }
        return try loginPage(session, project, request).page.response
    }

    /// `GET /mobile-login/`: where the camera of a phone goes that has no app for the code.
    ///
    /// - Request: nothing; what stands behind `#` does not reach the server.
    /// - Response: `200` with a page that shows the access code, by script.
    /// - Errors: none.
    /// - Source: oidc-samples, integration tests, for the address; the page is ours.
    func showLandingPage(_ request: Request) throws -> Response { LandingPage.page.response }

    private func loginPage(
        _ session: AccessSession, _ project: Project, _ request: Request
    ) throws -> LoginPage {
        let qrURL = sessions.qrURL(of: session, request)
        let code: QRCode
        do {
            code = try QRCode(text: qrURL)
        } catch {
            throw SessionRefusal.codeUnshowable(error.description)
        }
        let clientID = session.authorization?.clientID
        return LoginPage(
            session: session, standing: session.standing(at: now), qrURL: qrURL, code: code,
            secondsLeft: now.seconds(until: session.expiresAt),
            service: clientID.flatMap { project.application($0)?.name } ?? project.name, mount: request.mount,
            phone: PhoneLink.html(qrURL, request, world.services))
    }

    /// Whom an activation token is for, or why it is good for nobody.
    private func activation(_ token: String, in project: Project) throws -> LoginPage.Activation {
        let code = try database.read { db in try OneTimeCode.find([.activation], token, in: project.id, db) }
        guard let code, code.spentAt == nil, code.expiresAt > now else { return .void }
        return .good(token, userID: code.userID)
    }
}
