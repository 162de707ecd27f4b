import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
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
        let input = try request.members()
        let emailID = try input.optionalText("email_id")
        var check = Validation()
        let userID = check.required("user_id", try input.optionalText("user_id"), .uuid4)
        try check.finish()
        let code = services.entropy.numericPasscode()
        let order = try order(for: userID, emailID, request, configuration)
        let announcer = try announcer(request)
        let start = try world.change { turn in
            try announcer.auditing(.passcodeInitFailed, userID: userID, in: turn) {
                let start = try issue(order, drawn: code, ttl: configuration.email.passcodeTTL, in: turn)
                try announcer.mail(start, in: turn)
                try announcer.audit(.passcodeInitSucceeded, userID: userID, in: turn)
                return start
            }
        }
        var response = Response.hanko(json: PasscodeOutput(start.passcode).json)
        for (name, value) in start.standing?.headers ?? [] { response.headers.add(name, value) }
        return response
    }

    func requirePasscodes(_ configuration: Configuration) throws {
        guard configuration.hasPasscodes else {
            throw HankoRefusal.switchedOff(
                "passcodes",
                by: configuration.mfa.isEnabled
                    ? "mfa.enabled must be false (it is true unless the fixtures say otherwise)"
                    : "email.enabled and email.use_for_authentication must be true")
        }
    }

    /// Counts the call and stores the passcode for the address that `order` leads to.
    private func issue(
        _ order: PasscodeOrder, drawn: String, ttl: Int, in turn: Turn
    ) throws -> PasscodeStart {
        guard let user = try turn.db.user(order.userID) else {
            throw HankoRefusal.userUnknown(order.userID)
        }
        return try turn.limited(by: order.limit) { standing in
            let (email, isAssumed) = try turn.db.address(for: user, order)
            if let refusal = order.refusal(of: email) { throw refusal }
            let code = try turn.code(for: email.address, insteadOf: drawn)
            let passcode = Passcode(
                id: services.entropy.uuid(for: "hanko.passcode"), userID: user.id, emailID: email.id,
                code: code, ttl: ttl, createdAt: turn.now)
            try turn.insert(passcode)
            turn.issued(passcode.id)
            return PasscodeStart(
                passcode: passcode, code: code, email: email, isAssumed: isAssumed, standing: standing)
        }
    }

    private func order(
        for userID: String, _ emailID: String?, _ request: Request, _ configuration: Configuration
    ) throws -> PasscodeOrder {
        PasscodeOrder(
            userID: userID, emailID: emailID, cookie: request.cookie(SessionCookie.addressName),
            signedInAs: try sessionReader(request).userID(of: request),
            assumesPendingAddress: !configuration.own.isStrictAboutPendingAddress,
            limit: configuration.rateLimiter.passcodeRule.map {
                CallLimit(
                    rule: $0, route: "/passcode/login/initialize", userID: userID,
                    clientAddress: request.peer.address)
            })
    }
}

extension Announcer {
    fileprivate func mail(_ start: PasscodeStart, in turn: Turn) throws {
        let (passcode, code, address) = (start.passcode, start.code, start.email.address)
        if start.isAssumed {
            turn.note(
                "address assumed", about: address,
                "The user \(passcode.userID) has no primary address and the request names none: \(address) is taken, "
                    + "which the user registered. A real server answers 500 to clients without the cookie hanko_email_id."
            )
        }
        let mail = PasscodeMail(
            template: "passcode", code: code, serviceName: configuration.service.name, ttl: passcode.ttl,
            expiresAt: passcode.expiresAt, address: address,
            language: MailLanguage(acceptLanguage: request.headers["Accept-Language"]))
        try send(mail.outgoing(), in: turn)
        guard configuration.deliversMail else { return }
        turn.note(
            "passcode sent", about: address,
            "The passcode \(code) went to \(address) for the user \(passcode.userID). It is valid for "
                + "\(passcode.ttl) s and \(Passcode.triesAllowed) tries, under the id \(passcode.id).")
    }
}

/// What came of asking for a passcode.
private struct PasscodeStart {
    let passcode: Passcode
    let code: String
    let email: Email
    /// Whether the address was taken because the user registered it, and nothing named it.
    let isAssumed: Bool
    /// Nil where limits are off.
    let standing: RateLimit?
}

extension Connection {
    /// The address that the body names, else the primary one, else the one of the cookie, else the registered one.
    fileprivate func address(
        for user: User, _ order: PasscodeOrder
    ) throws -> (email: Email, isAssumed: Bool) {
        if let asked = order.emailID { return (try email(named: asked, isCookie: false), false) }
        if let primary = try primaryEmail(of: user.id) { return (primary, false) }
        if let cookie = order.cookie {
            guard !cookie.isEmpty else { throw HankoRefusal.emailIDNeeded }
            return (try email(named: cookie, isCookie: true), false)
        }
        let pending = try user.pendingEmailID.flatMap { try email($0) }
        guard let pending, order.assumesPendingAddress else {
            throw HankoRefusal.addressUndetermined(userID: user.id, pending: pending?.address)
        }
        return (pending, true)
    }

    private func email(named text: String, isCookie: Bool) throws -> Email {
        guard let id = UUIDText.parsed(text) else {
            throw HankoRefusal.emailIDUnparsable(text, isCookie: isCookie)
        }
        guard let email = try email(id) else { throw HankoRefusal.emailUnavailable(id, isCookie: isCookie) }
        return email
    }
}
