import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// What is changed, with everything checked that needs no look at other users.
    private struct UserPatch {
        let username: Patch<String>
        let name: Patch<String>
        let givenName: Patch<String>
        let familyName: Patch<String>
        let picture: Patch<String>

        init(_ request: Request) throws {
            let members = try request.members()
            let body = try request.anyInput().object ?? [:]
            let nulls = Set(body.filter(\.value.isNull).map { $0.key.lowercased() })
            func patch(_ name: String, _ checked: (String) throws -> String) throws -> Patch<String> {
                if let text = try members.optionalText(name) { return .set(try checked(text)) }
                return nulls.contains(name) ? .clear : .keep
            }
            username = try patch("username", AdminRules.username)
            name = try patch("name") { try AdminRules.name($0, "name") }
            givenName = try patch("given_name") { try AdminRules.name($0, "given_name") }
            familyName = try patch("family_name") { try AdminRules.name($0, "family_name") }
            picture = try patch("picture", AdminRules.picture)
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
        let patch = try UserPatch(request)
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

/// A member that may be missing, null or a value.
enum Patch<Value: Sendable>: Sendable {
    case keep
    case clear
    case set(Value)

    func apply(to value: inout Value?) {
        switch self {
        case .keep: break
        case .clear: value = nil
        case .set(let new): value = new
        }
    }
}
