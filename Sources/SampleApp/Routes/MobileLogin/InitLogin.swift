import Essentials
import HTTP
import PlatformKit

extension SampleApp {
    /// `POST /login/init`: begins a login that the user approves on their device.
    ///
    /// With a MAC token the device is the token's, whatever the body says.
    ///
    /// - Request: `{"registrationId": "…"}`; or the header `X-PowerAuth-Token` with an empty body.
    /// - Response: `200 {"operationId","session"}` and the cookie `app_login`, which binds the login to this session.
    /// - Errors: `400` when no device is named or PowerAuth Cloud knows none such, `401` for a token that is not valid, `502` when
    ///   PowerAuth Cloud cannot be used.
    /// - Source: the vendor's article “Implement Login in Mobile Apps”, device-bound operations and MAC tokens.
    func initLogin(_ request: Request) throws -> Response {
        let settings = try self.settings(MobileLoginSettings.kept, else: MobileLoginSettings())
        let cloud = cloud(settings, request)
        let token = try provenToken(request, cloud, settings)
        guard let registration = try token ?? namedRegistration(request) else {
            throw MobileLoginError.deviceUnnamed
        }
        let operation = try cloud.createOperation(template: settings.template, registrationID: registration)
        guard operation.registrationId == registration, let user = operation.userId else {
            throw MobileLoginError.platformConfused(
                "created the operation \(operation.operationId) without a user, or for another device than \(registration)"
            )
        }
        let login = MobileLogin(
            operationID: operation.operationId, session: makeSecret("app.login.session"), userID: user,
            registrationID: registration, startedAt: services.clock.now(), usedAt: nil)
        try begin(login)
        var response = answer([
            "operationId": .string(login.operationID), "session": .string(login.session),
        ])
        response.headers["Set-Cookie"] = AppCookie.login.set(login.session, request)
        return response
    }

    /// The registration of the MAC token in the header; nil without one where none is needed.
    func provenToken(
        _ request: Request, _ cloud: PowerAuthCloud, _ settings: MobileLoginSettings
    ) throws -> String? {
        guard let header = request.headers[Self.tokenHeader] else {
            guard settings.requiresToken else { return nil }
            throw MobileLoginError.proofMissing(Self.tokenHeader)
        }
        let proof: PowerAuthCloud.Token
        do {
            proof = try cloud.verify(token: header)
        } catch MobileLoginError.platformRefused(_, status: 400, _) {
            // The platform tells a header that is malformed, stale or used before as a bad request; to the app it is a bad proof.
            throw MobileLoginError.tokenRefused(status: nil)
        }
        guard proof.tokenValid, proof.registrationStatus == "ACTIVE", let registration = proof.registrationId
        else {
            throw MobileLoginError.tokenRefused(status: proof.registrationStatus)
        }
        return registration
    }

    private func namedRegistration(_ request: Request) throws -> String? {
        guard !request.body.isEmpty else { return nil }
        return try mobileInput(request)["registrationId"]?.string
    }

    func mobileInput(_ request: Request) throws -> JSONValue {
        do {
            return try JSONValue(parsing: request.body)
        } catch let error as DecodingError {
            throw MobileLoginError.requestMalformed("The body is not JSON: \(error.sentence).")
        }
    }
}
