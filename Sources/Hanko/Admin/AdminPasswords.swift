import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// `GET /users/{id}/password`: whether there is one, and since when.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"id", "created_at", "updated_at"}`.
    /// - Errors: 400 when the id is no UUID; 404 for no password and for no such user.
    /// - Source: Hanko 2.7, admin API.
    func adminShowPassword(_ request: Request) throws -> Response {
        let account = try requireAccount(adminUserParameter(request))
        guard let password = account.password else {
            throw AdminRefusal.passwordAbsent(userID: account.id)
        }
        return try .hanko(AdminPassword(password))
    }

    /// `POST /users/{id}/password`: sets the first password. The rules for passwords of the configuration do not count here.
    ///
    /// - Request: `{"password": string}`.
    /// - Response: `200 {"id", "created_at", "updated_at"}`. Webhook `user.update.password.update`.
    /// - Errors: 400, also for more than 72 bytes; 404 `user not found`; 409 when there is a password.
    /// - Source: Hanko 2.7, admin API; the webhook is *assumed*.
    func adminCreatePassword(_ request: Request) throws -> Response {
        try setPassword(request) { present, userID in
            if present { throw AdminRefusal.passwordPresent(userID: userID) }
        }
    }

    /// `PUT /users/{id}/password`: changes the password.
    ///
    /// - Request: `{"password": string}`.
    /// - Response: `200 {"id", "created_at", "updated_at"}`. Webhook `user.update.password.update`.
    /// - Errors: 400, also for more than 72 bytes; 404 for no password and for no such user.
    /// - Source: Hanko 2.7, admin API; the webhook is *assumed*.
    func adminChangePassword(_ request: Request) throws -> Response {
        try setPassword(request) { present, userID in
            if !present { throw AdminRefusal.passwordAbsent(userID: userID) }
        }
    }

    /// `DELETE /users/{id}/password`: takes the password away.
    ///
    /// - Request: nothing.
    /// - Response: `204`.
    /// - Errors: 400 when the id is no UUID; 404 for no password and for no such user.
    /// - Source: Hanko 2.7, admin API.
    func adminRemovePassword(_ request: Request) throws -> Response {
        let userID = try adminUserParameter(request)
        try world.change { turn in
            _ = try turn.db.requireUser(userID)
            guard let password = try turn.db.password(of: userID) else {
                throw AdminRefusal.passwordAbsent(userID: userID)
            }
            try turn.delete(password)
        }
        return .noContent
    }

    private func setPassword(
        _ request: Request, _ check: (_ present: Bool, _ userID: String) throws -> Void
    ) throws -> Response {
        let input = try request.members().optionalText("password")
        var validation = Validation()
        let userID = validation.required("user_id", request.parameter("id"), .uuid)
        let text = validation.required("password", input)
        try validation.finish(isWrapped: true)
        let hash = try passwordHash(text)
        let (announcer, id) = (try announcer(request), services.entropy.uuid(for: "hanko.password"))
        let password = try world.change { turn in
            _ = try turn.db.requireUser(userID)
            try check(try turn.db.password(of: userID) != nil, userID)
            let password = try turn.db.setPassword(hash, of: userID, id: id, at: turn.now)
            try announcer.announce(.userUpdatePassword, userID: userID, in: turn)
            return password
        }
        return try .hanko(AdminPassword(password))
    }

    func passwordHash(_ text: String) throws -> PasswordHash {
        guard text.utf8.count <= PasswordHash.maxBytes else {
            throw AdminRefusal.passwordTooLong(bytes: text.utf8.count)
        }
        return try PasswordHash(text, salt: services.entropy.bytes(16, "hanko.salt"))
    }
}
