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
        let choices = try emails.choices(for: userID)
        guard let user = choices.user else { throw HankoError.userUnknown(userID) }

        let standing = try takeToken(for: userID, request, configuration)
        do {
            let email = try address(for: user, choices, input.emailID, request, configuration)
            try requireOwn(email, of: user, request, configuration)
            let passcode = try send(to: email, of: user, request, configuration)
            var response = try Response.hanko(PasscodeOutput(passcode))
            for (name, value) in standing?.headers ?? [] { response.headers.add(name, value) }
            return response
        } catch let refusal as HankoError {
            throw standing.map { HankoError.limited($0, refusal) } ?? refusal
        }
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

    /// Nil where limits are off.
    private func takeToken(
        for userID: String, _ request: Request, _ configuration: Configuration
    ) throws -> RateLimit? {
        guard let rule = configuration.passcodeLimit else { return nil }
        let route = "/passcode/login/initialize"
        let standing = try rateLimits.take(
            "\(route)/\(userID)/\(request.peer.address)", under: rule, at: services.clock.now())
        guard standing.isGranted else {
            throw HankoError.rateLimited(
                standing, calls: "\(route) for the user \(userID) from \(request.peer.address)")
        }
        return standing
    }

    private func address(
        for user: User, _ choices: EmailStore.Choices, _ asked: String?, _ request: Request,
        _ configuration: Configuration
    ) throws -> Email {
        if let asked { return try email(named: asked, isCookie: false) }
        if let primary = choices.primary { return primary }
        if let cookie = request.cookie(SessionCookie.addressName) {
            guard !cookie.isEmpty else { throw HankoError.emailIDNeeded }
            return try email(named: cookie, isCookie: true)
        }
        guard let pending = choices.pending, !configuration.isStrictAboutPendingAddress else {
            throw HankoError.addressUndetermined(userID: user.id, pending: choices.pending?.address)
        }
        services.journal.event(
            "address assumed", about: pending.address,
            "the user \(user.id) has no primary address and the request names none: \(pending.address) is taken, which the user "
                + "registered; a real server answers 500 to clients without the cookie hanko_email_id")
        return pending
    }

    private func email(named text: String, isCookie: Bool) throws -> Email {
        guard let id = UUIDText.parsed(text) else {
            throw HankoError.emailIDUnparsable(text, isCookie: isCookie)
        }
        guard let email = try emails.email(id) else {
            throw HankoError.emailUnavailable(id, isCookie: isCookie)
        }
        return email
    }

    private func requireOwn(
        _ email: Email, of user: User, _ request: Request, _ configuration: Configuration
    ) throws {
        if let signedInAs = try presentedUserID(request, configuration), signedInAs != user.id {
            throw HankoError.sessionOfAnother(signedInAs: signedInAs, userID: user.id)
        }
        if let owner = email.userID, owner != user.id {
            throw HankoError.addressOfAnother(email.address, userID: owner)
        }
    }

    /// Stores a new passcode and mails it.
    private func send(
        to email: Email, of user: User, _ request: Request, _ configuration: Configuration
    ) throws -> Passcode {
        let id = services.entropy.uuid(for: "hanko.passcode")
        let code = makeCode()
        let passcode = Passcode(
            id: id, userID: user.id, emailID: email.id, digest: Passcode.digest(of: code, id: id),
            ttlSeconds: configuration.email.passcodeTTLSeconds, wrongTries: 0, createdAt: services.clock.now()
        )
        try passcodes.add(passcode)
        try services.outbox.deliver(
            PasscodeMail(
                code: code, serviceName: configuration.serviceName, passcode: passcode,
                address: email.address,
                language: MailLanguage(acceptLanguage: request.headers["Accept-Language"])
            ).message)
        services.journal.event(
            "passcode sent", about: email.address,
            "the passcode \(code) went to \(email.address) for the user \(user.id); it is good for \(passcode.ttlSeconds) s "
                + "and \(Passcode.triesAllowed) tries, under the id \(passcode.id)")
        return passcode
    }

    /// Six digits, `000000` to `999998`. The original draws below 999999.
    private func makeCode() -> String {
        while true {
            let code = services.entropy.digits(6, for: "hanko.code")
            if code != "999999" { return code }
        }
    }
}
