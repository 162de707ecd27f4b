import Essentials
import HTTP
import PlatformKit

extension Hanko {
    private struct StartInput: Decodable {
        let userID: String?
        let emailID: String?

        enum CodingKeys: String, CodingKey {
            case userID = "user_id"
            case emailID = "email_id"
        }
    }

    /// `POST /passcode/login/initialize`: mails a passcode.
    ///
    /// - Request: `{"user_id": uuid, "email_id": uuid?}`; without `email_id` the primary address, then the one that the cookie
    ///   `hanko_email_id` names, then the one that the user registered. A session may come with it.
    /// - Response: `200 {"id": uuid, "ttl": 300, "created_at": time}` with `X-RateLimit-…`.
    /// - Errors, in this order: 404 while MFA is on; 400; 429; 400 and 500 when no address can be found; 403 when the session
    ///   or the address is another user's.
    /// - Source: Hanko 2.7, classic API.
    func startPasscode(_ request: Request) throws -> Response {
        let configuration = try configuration()
        try requirePasscodes(configuration)
        let input = try request.input(StartInput.self)
        var check = Validation()
        let userID = check.required("user_id", input.userID, .uuid4)
        try check.finish()
        let (id, code) = (services.entropy.uuid(for: "hanko.passcode"), services.entropy.numericPasscode())
        let now = services.clock.now()
        let start = try auditing(.passcodeInitFailed, request, userID: userID) {
            try passcodes.start(order(for: userID, input.emailID, request, configuration), at: now) {
                Passcode(
                    id: id, userID: userID, emailID: $0.id, digest: Passcode.digest(of: code, id: id),
                    ttlSeconds: configuration.email.passcodeTTLSeconds, wrongTries: 0, createdAt: now)
            }
        }
        try mail(code, of: start, request, configuration)
        try audit(.passcodeInitSucceeded, request, userID: userID)
        var response = Response.hanko(json: PasscodeOutput(start.passcode).json)
        for (name, value) in start.standing?.headers ?? [] { response.headers.add(name, value) }
        return response
    }

    func requirePasscodes(_ configuration: Configuration) throws {
        guard configuration.hasPasscodes else {
            throw HankoError.switchedOff(
                "passcodes",
                by: configuration.mfa.isEnabled
                    ? "mfa.enabled must be false (it is true unless the fixtures say otherwise)"
                    : "email.enabled and email.use_for_authentication must be true")
        }
    }

    private func order(
        for userID: String, _ emailID: String?, _ request: Request, _ configuration: Configuration
    ) throws -> PasscodeOrder {
        PasscodeOrder(
            userID: userID, emailID: emailID, cookie: request.cookie(SessionCookie.addressName),
            signedInAs: try presentedUserID(request, configuration),
            assumesPendingAddress: !configuration.isStrictAboutPendingAddress,
            limit: configuration.limits.map {
                PasscodeOrder.Limit(
                    rule: $0.passcode, route: "/passcode/login/initialize", userID: userID,
                    clientAddress: request.peer.address)
            })
    }

    private func mail(
        _ code: String, of start: PasscodeStore.Start, _ request: Request, _ configuration: Configuration
    ) throws {
        let (passcode, address) = (start.passcode, start.email.address)
        if start.isAssumed {
            services.journal.event(
                "address assumed", about: address,
                "The user \(passcode.userID) has no primary address and the request names none: \(address) is taken, "
                    + "which the user registered. A real server answers 500 to clients without the cookie hanko_email_id."
            )
        }
        try send(
            PasscodeMail(
                code: code, serviceName: configuration.serviceName, passcode: passcode, address: address,
                language: MailLanguage(acceptLanguage: request.headers["Accept-Language"])
            ).outgoing, request)
        guard configuration.deliversMail else { return }
        services.journal.event(
            "passcode sent", about: address,
            "The passcode \(code) went to \(address) for the user \(passcode.userID). It is good for "
                + "\(passcode.ttlSeconds) s and \(Passcode.triesAllowed) tries, under the id \(passcode.id).")
    }
}
