import Essentials
import HTTP
import PlatformKit

extension SampleApp {
    static let authorizationHeader = "X-PowerAuth-Authorization"
    static let tokenHeader = "X-PowerAuth-Token"

    /// `POST /login`: logs a user in by an authentication code over this very request.
    ///
    /// - Request: any body; the header `X-PowerAuth-Authorization`, made for `POST`, the identifier `/login` and the body's bytes, with
    ///   possession and knowledge or biometry.
    /// - Response: `200 {"userId","registrationId","session","expiresIn"}` and the cookie `app_session`.
    /// - Errors: `401` without a right code, `403` for a code of one factor, `502` when PowerAuth Cloud cannot be used.
    /// - Source: the vendor's article “Implement Login in Mobile Apps”, authentication codes.
    func logInByCode(_ request: Request) throws -> Response {
        let settings = try self.settings(MobileLoginSettings.kept, else: MobileLoginSettings())
        guard let header = request.headers[Self.authorizationHeader] else {
            throw MobileLoginError.proofMissing(Self.authorizationHeader)
        }
        let proof: PowerAuthCloud.Authentication
        do {
            proof = try cloud(settings, request).verify(
                header, method: request.method.rawValue, uriID: "/login", body: request.body)
        } catch MobileLoginError.platformRefused(_, status: 400, _) {
            // The platform tells a header that it cannot read as a bad request; to the app it is a bad proof.
            throw MobileLoginError.codeRefused(status: nil, attemptsLeft: nil)
        }
        guard proof.signatureValid, proof.registrationStatus == "ACTIVE", let user = proof.userId,
            let registration = proof.registrationId
        else {
            throw MobileLoginError.codeRefused(
                status: proof.registrationStatus, attemptsLeft: proof.remainingAttempts)
        }
        guard let type = proof.signatureType, Self.loginFactors.contains(type) else {
            throw MobileLoginError.factorsTooFew(proof.signatureType)
        }
        let session = makeSession(of: user, settings)
        try begin(session)
        return loggedIn(session, registration: registration, settings, request)
    }

    /// Possession and at least one more.
    private static let loginFactors: Set = [
        "possession_knowledge", "possession_biometry", "possession_knowledge_biometry",
    ]

    /// PowerAuth Cloud as the back end uses it: by default the one in its own world.
    func cloud(_ settings: MobileLoginSettings, _ request: Request) -> PowerAuthCloud {
        PowerAuthCloud(
            baseURL: settings.cloud ?? request.ownURL + "/powerauth-cloud", username: settings.username,
            password: settings.password, web: services.web)
    }

    func makeSession(of user: String, _ settings: MobileLoginSettings) -> Session {
        Session(
            id: makeSecret("app.session"), user: user,
            expiresAt: services.clock.now() + Double(settings.sessionSeconds))
    }

    func loggedIn(
        _ session: Session, registration: String, _ settings: MobileLoginSettings, _ request: Request
    ) -> Response {
        services.journal.event(
            "app login", about: session.user,
            "The user \(session.user) is logged in by the registration \(registration).")
        var response = answer([
            "userId": .string(session.user), "registrationId": .string(registration),
            "session": .string(session.id), "expiresIn": .integer(settings.sessionSeconds),
        ])
        response.headers["Set-Cookie"] = AppCookie.session.set(session.id, request)
        return response
    }

    func answer(_ object: [String: JSONValue]) -> Response {
        Response(
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: JSONValue.object(object).bytes)
    }
}
