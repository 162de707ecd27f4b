import Essentials
import HTTP
import PlatformKit
import SQLite

extension SampleApp {
    /// `POST /login/confirm`: logs the user in when the operation was approved.
    ///
    /// Checked, each alone: the operation is APPROVED, was not used before, belongs to a login of this session, was finalised not longer than
    /// a minute ago, and its user and registration are those with which the login began; a MAC token must be of that registration too.
    ///
    /// - Request: `{"operationId": "…"}` and the session of `/login/init`, as cookie or as `Authorization: Bearer`; the header
    ///   `X-PowerAuth-Token`, freshly computed, where it is required or sent.
    /// - Response: `200 {"userId","registrationId","session","expiresIn"}` and the cookie `app_session`.
    /// - Errors: `401` for a bad token, `403` for each check that fails, `502` when PowerAuth Cloud cannot be used.
    /// - Source: the vendor's article “Implement Login in Mobile Apps”.
    func confirmLogin(_ request: Request) throws -> Response {
        let settings = try self.settings(MobileLoginSettings.kept, else: MobileLoginSettings())
        guard let id = try mobileInput(request)["operationId"]?.string else {
            throw MobileLoginError.requestMalformed("The body has no text “operationId”.")
        }
        let login = try requireMobileLogin(id, request)
        let cloud = cloud(settings, request)
        if let registration = try provenToken(request, cloud, settings), registration != login.registrationID
        {
            throw MobileLoginError.tokenOfAnother(got: registration, expected: login.registrationID)
        }
        let operation = try cloud.operation(id)
        let now = services.clock.now()
        if let refusal = login.refusal(of: operation, at: now, within: settings.confirmSeconds) {
            throw refusal
        }
        if settings.comparesDevice { try requireSameDevice(request, operation) }
        let session = makeSession(of: login.userID, settings)
        // Two requests may have come this far with one login; the store lets one of them through.
        guard try use(login, as: session) else {
            throw MobileLoginError.usedAlready(id)
        }
        return loggedIn(session, registration: login.registrationID, settings, request)
    }

    /// `GET /me`: who is logged in.
    ///
    /// - Request: the session of a login, as cookie `app_session` or as `Authorization: Bearer`.
    /// - Response: `200 {"userId"}`.
    /// - Errors: `401`.
    /// - Source: ours.
    func showUser(_ request: Request) throws -> Response {
        guard let id = AppCookie.session.value(request),
            let session = try self.session(id)
        else { throw MobileLoginError.nobodyLoggedIn }
        return answer(["userId": .string(session.user)])
    }

    private func requireMobileLogin(_ id: String, _ request: Request) throws -> MobileLogin {
        let session = AppCookie.login.value(request)
        guard let session,
            let login = try database.read({
                try $0.first(MobileLogin.self, where: "operation_id = \(id) AND session = \(session)")
            })
        else {
            throw MobileLoginError.loginUnknown(id, hasSession: session != nil)
        }
        return login
    }

    private func requireSameDevice(_ request: Request, _ operation: PowerAuthCloud.Operation) throws {
        let facts = operation.additionalData
        guard facts?.ipAddress == request.peer.address else {
            throw MobileLoginError.otherDevice(
                member: "address", got: request.peer.address, expected: facts?.ipAddress)
        }
        let agent = request.headers["User-Agent"]
        guard facts?.userAgent == agent else {
            throw MobileLoginError.otherDevice(member: "user agent", got: agent, expected: facts?.userAgent)
        }
    }
}
