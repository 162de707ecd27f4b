import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// `POST /password/login`: trades a password for a session.
    ///
    /// - Request: `{"user_id": uuid, "password": "…"}`.
    /// - Response: `200` with the body `null`, the session and `X-RateLimit-…`.
    /// - Errors, in this order: 404 while MFA is on or passwords are off; 415; 400; 429; 401 for an unknown user; 400 for more
    ///   than 72 bytes; 401 for a user without a password and for a wrong one.
    /// - Source: Hanko 2.7, classic API.
    func logInWithPassword(_ request: Request) throws -> Response {
        let configuration = try configuration()
        try requirePasswords(configuration)
        let (userID, password) = try passwordInput(request)
        let login = try auditing(.passwordLoginFailed, request, userID: userID) {
            let limit = configuration.rateLimiter.passwordRule.map {
                CallLimit(
                    rule: $0, route: "/password/login", userID: userID,
                    clientAddress: request.peer.address)
            }
            return try world.change { turn in
                try turn.limited(by: limit) { standing in
                    try turn.db.check(password, of: userID)
                    let session = try turn.db.open(newSession(request, configuration), for: userID)
                    return PasswordLogin(session: session, standing: standing)
                }
            }
        }
        services.journal.event(
            "password accepted", about: login.session.email?.address ?? userID,
            "The user \(userID) signed in with the right password.")
        var response = Response.hankoNull()
        for (name, value) in login.standing?.headers ?? [] { response.headers.add(name, value) }
        try hand(login.session, to: &response, configuration)
        try audit(.passwordLoginSucceeded, request, userID: userID)
        return response
    }
}

private struct PasswordLogin {
    let session: OpenedSession
    /// Nil where limits are off.
    let standing: RateLimit?
}

extension Connection {
    /// - Throws: ``PasswordRefusal`` unless the password is the user's.
    fileprivate func check(_ text: String, of userID: String) throws {
        guard try user(userID) != nil else { throw PasswordRefusal.userUnknown(userID) }
        guard text.utf8.count <= PasswordHash.maxBytes else {
            throw PasswordRefusal.tooLong(count: text.utf8.count)
        }
        guard let password = try password(of: userID) else {
            throw PasswordRefusal.absent(userID: userID)
        }
        if try password.matches(text) { return }
        let trimmed = text.trimmed
        throw PasswordRefusal.wrong(
            userID: userID, isRightTrimmed: try trimmed != text && password.matches(trimmed))
    }
}
