import HTTP
import PlatformKit

extension Hanko {
    /// `PUT /password`: sets or changes the password of the signed-in user.
    ///
    /// - Request: a session and `{"user_id": uuid, "password": "…"}`.
    /// - Response: `201` for the first password, `200` for a change, both with the body `null`.
    /// - Errors, in this order: 404 while MFA is on or passwords are off; 401; 415; 400 for a password of fewer characters than
    ///   `password.min_length`, or of more than 72 bytes; 401 for an unknown user; 403 for another one.
    /// - Source: Hanko 2.7, classic API.
    func setPassword(_ request: Request) throws -> Response {
        let configuration = try configuration()
        try requirePasswords(configuration)
        let announcer = try announcer(request)
        let isFirst = try change(for: request) { turn, accepted in
            let (userID, password) = try passwordInput(request)
            let signedInAs = accepted.session.userID
            return try announcer.auditing(.passwordSetFailed, userID: signedInAs, in: turn) {
                let isFirst = try set(
                    password, of: userID, signedInAs: signedInAs, configuration.password, in: turn)
                turn.note(
                    "password set", about: userID,
                    "The user \(userID) has \(isFirst ? "a password now" : "another password now").")
                try announcer.audit(.passwordSetSucceeded, userID: userID, in: turn)
                return isFirst
            }
        }
        return .hankoNull(status: isFirst ? .created : .ok)
    }

    /// - Returns: whether it is the user's first.
    private func set(
        _ password: String, of userID: String, signedInAs: String, _ rules: PasswordConfiguration,
        in turn: Turn
    ) throws -> Bool {
        // Code points, as the original counts runes.
        let count = password.unicodeScalars.count
        guard count >= rules.minLength else {
            throw PasswordRefusal.tooShort(count: count, minimum: rules.minLength)
        }
        guard password.utf8.count <= PasswordHash.maxBytes else {
            throw PasswordRefusal.tooLong(count: password.utf8.count)
        }
        guard try turn.db.user(userID) != nil else { throw PasswordRefusal.userUnknown(userID) }
        guard userID == signedInAs else {
            throw PasswordRefusal.ofAnother(userID, signedInAs: signedInAs)
        }
        let isFirst = try turn.db.password(of: userID) == nil
        let entropy = services.entropy
        try turn.db.setPassword(
            try PasswordHash(password, salt: entropy.bytes(16, "hanko.salt")), of: userID,
            id: entropy.uuid(for: "hanko.password"), at: turn.now)
        return isFirst
    }

    func requirePasswords(_ configuration: Configuration) throws {
        guard configuration.hasPasswords else {
            throw HankoRefusal.switchedOff(
                "passwords",
                by: configuration.mfa.isEnabled
                    ? "mfa.enabled must be false (it is true unless the fixtures say otherwise)"
                    : "password.enabled must be true")
        }
    }

    func passwordInput(_ request: Request) throws -> (userID: String, password: String) {
        let input = try request.members()
        var check = Validation()
        let userID = check.required("user_id", try input.optionalText("user_id"), .uuid4)
        let password = check.required("password", try input.optionalText("password"))
        try check.finish()
        return (userID, password)
    }
}
