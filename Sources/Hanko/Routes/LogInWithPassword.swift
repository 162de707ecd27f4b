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
        let limit = configuration.rateLimiter.passwordRule.map {
            CallLimit(
                rule: $0, route: "/password/login", userID: userID, clientAddress: request.peer.address)
        }
        let (announcer, opening) = (try announcer(request), newSession(request, configuration))
        let login = try world.change { turn in
            try announcer.auditing(.passwordLoginFailed, userID: userID, in: turn) {
                let login = try turn.limited(by: limit) { standing in
                    try turn.db.check(password, of: userID)
                    turn.note(
                        "password accepted", about: try turn.db.primaryEmail(of: userID)?.address ?? userID,
                        "The user \(userID) signed in with the right password.")
                    return PasswordLogin(session: try turn.open(opening, for: userID), standing: standing)
                }
                try announcer.audit(.passwordLoginSucceeded, userID: userID, in: turn)
                return login
            }
        }
        var response = Response.hankoNull()
        for (name, value) in login.standing?.headers ?? [] { response.headers.add(name, value) }
        try hand(login.session, to: &response, configuration)
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
