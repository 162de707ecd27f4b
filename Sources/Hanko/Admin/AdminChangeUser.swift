import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    private struct UserPatch: Decodable {
        let username: Patch<String>
        let name: Patch<String>
        let givenName: Patch<String>
        let familyName: Patch<String>
        let picture: Patch<String>

        enum CodingKeys: String, CodingKey {
            case username, name
            case givenName = "given_name"
            case familyName = "family_name"
            case picture
        }

        /// With everything checked that needs no look at other users.
        func checked() throws -> UserPatch {
            UserPatch(
                username: try username.map(AdminRules.username),
                name: try name.map { try AdminRules.name($0, "name") },
                givenName: try givenName.map { try AdminRules.name($0, "given_name") },
                familyName: try familyName.map { try AdminRules.name($0, "family_name") },
                picture: try picture.map(AdminRules.picture))
        }

        func apply(to user: inout User) {
            name.apply(to: &user.name)
            givenName.apply(to: &user.givenName)
            familyName.apply(to: &user.familyName)
            picture.apply(to: &user.picture)
        }
    }

    /// `PATCH /users/{id}`: changes what a user is called.
    ///
    /// - Request: any of `username`, `name`, `given_name`, `family_name`, `picture`; one that is missing stays, null clears it.
    /// - Response: `200`, the ``AdminUser``. Webhook `user.update.username.…` where the username changed, else `user.update` where
    ///   anything did.
    /// - Errors: 400 when the id is no UUID, a text is blank or a picture no http(s) URL; 404 `user not found`; 409 when the
    ///   username is another user's.
    /// - Source: Hanko 2.7, admin API; the webhooks are *assumed*.
    func adminChangeUser(_ request: Request) throws -> Response {
        let id = try adminUserID(request)
        let patch = try request.input(UserPatch.self).checked()
        let announcer = try announcer(request)
        let account = try world.change { turn in
            let before = try turn.db.requireUser(id)
            var user = before
            patch.apply(to: &user)
            try Self.rename(&user, patch.username, at: turn.now, in: turn.db)
            if user != before {
                user.updatedAt = turn.now
                try turn.update(user)
                try announcer.announce(Self.event(before, user), userID: id, in: turn)
            }
            return try turn.db.requireAccount(id)
        }
        return try .hanko(AdminUser(account))
    }

    private static func rename(
        _ user: inout User, _ patch: Patch<String>, at now: Date, in db: Connection
    ) throws {
        switch patch {
        case .keep: return
        case .clear: if user.username != nil { user.rename(nil, at: now) }
        case .set(let name):
            if let owner = try db.user(named: name), owner.id != user.id {
                throw AdminRefusal.usernameTaken(name, userID: owner.id)
            }
            if user.username != name { user.rename(name, at: now) }
        }
    }

    private static func event(_ before: User, _ after: User) -> WebhookEvent {
        switch (before.username, after.username) {
        case (let old, let new) where old == new: .userUpdate
        case (nil, _): .userUpdateUsernameCreate
        case (_, nil): .userUpdateUsernameDelete
        default: .userUpdateUsernameUpdate
        }
    }
}

extension Patch {
    func map(_ transform: (Value) throws -> Value) rethrows -> Patch {
        switch self {
        case .keep, .clear: self
        case .set(let value): .set(try transform(value))
        }
    }

    func apply(to value: inout Value?) {
        switch self {
        case .keep: break
        case .clear: value = nil
        case .set(let new): value = new
        }
    }
}
