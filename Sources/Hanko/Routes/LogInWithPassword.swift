import HTTP
import PlatformKit

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
            try accounts.logIn(
                userID, password: password,
                limit: configuration.limits.map {
                    PasscodeOrder.Limit(
                        rule: $0.password, route: "/password/login", userID: userID,
                        clientAddress: request.peer.address)
                },
                opening: newSession(request, configuration), at: services.clock.now())
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
