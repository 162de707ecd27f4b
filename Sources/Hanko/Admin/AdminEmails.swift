import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// `GET /users/{id}/emails`: the addresses of a user.
    ///
    /// - Request: nothing.
    /// - Response: `200`, array of ``AdminEmail``; empty for an unknown user.
    /// - Errors: 400 when the id is no UUID.
    /// - Source: Hanko 2.7, admin API.
    func adminListEmails(_ request: Request) throws -> Response {
        try .hanko(emails(of: adminUserParameter(request)).map(AdminEmail.init))
    }

    /// `POST /users/{id}/emails`: gives a user one more address; the first becomes primary.
    ///
    /// - Request: `{"address", "is_verified"?}`; the address is lower-cased.
    /// - Response: `201`, the ``AdminEmail``. Webhook `user.update.email.create`.
    /// - Errors: 400, also when the address is somebody's; 404 `user not found`; 409 when the user has `email.limit` addresses.
    /// - Source: Hanko 2.7, admin API.
    func adminAddEmail(_ request: Request) throws -> Response {
        let input = try request.members()
        let isVerified = try input.optionalBoolean("is_verified") ?? false
        var check = Validation()
        let id = check.required("user_id", request.parameter("id"), .uuid)
        let address = check.required("address", try input.optionalText("address"), .email).lowercased()
        try check.finish(isWrapped: true)
        let announcer = try announcer(request)
        let email = try world.change { turn in
            _ = try turn.db.requireUser(id)
            let limit = announcer.configuration.email.limit
            let present = try turn.db.emails(of: id)
            guard present.count < limit else { throw HankoRefusal.addressLimitReached(limit) }
            if let owner = try turn.db.email(address: address)?.userID {
                throw AdminRefusal.addressAssigned(address, userID: owner)
            }
            let email = try turn.assign(
                NewUser.Address(
                    address: address, isPrimary: present.isEmpty, isVerified: isVerified),
                to: id, newID: services.entropy.uuid(for: "hanko.email"))
            try announcer.announce(.userUpdateEmailCreate, userID: id, in: turn)
            return email
        }
        return try .hanko(AdminEmail(email), status: .created)
    }

    /// `GET /users/{id}/emails/{email_id}`: one address.
    ///
    /// - Request: nothing.
    /// - Response: `200`, the ``AdminEmail``.
    /// - Errors: 400; 404 when it is not the user's.
    /// - Source: Hanko 2.7, admin API.
    func adminShowEmail(_ request: Request) throws -> Response {
        let ids = try adminIDs(request, ["user_id": "id", "email_id": "email"])
        let email = try emails(of: ids[0]).first { $0.id == ids[1] }
        guard let email else { throw AdminRefusal.addressUnknown(ids[1], userID: ids[0]) }
        return try .hanko(AdminEmail(email))
    }

    /// `DELETE /users/{id}/emails/{email_id}`: takes an address from a user.
    ///
    /// - Request: nothing.
    /// - Response: `204`. Webhook `user.update.email.delete`.
    /// - Errors: 400; 404 when it is not the user's; 409 for the primary one.
    /// - Source: Hanko 2.7, admin API.
    func adminRemoveEmail(_ request: Request) throws -> Response {
        let ids = try adminIDs(request, ["user_id": "id", "email_id": "email"])
        let unknown = AdminRefusal.addressUnknown(ids[1], userID: ids[0])
        let announcer = try announcer(request)
        try world.change { turn in
            _ = try turn.remove(email: ids[1], of: ids[0], orElse: unknown)
            try announcer.announce(.userUpdateEmailDelete, userID: ids[0], in: turn)
        }
        return .noContent
    }

    /// `POST /users/{id}/emails/{email_id}/set_primary`: chooses the address that passcodes go to.
    ///
    /// - Request: nothing.
    /// - Response: `204`. Webhook `user.update.email.primary`.
    /// - Errors: 400; 404 when it is not the user's.
    /// - Source: Hanko 2.7, admin API.
    func adminSetPrimaryEmail(_ request: Request) throws -> Response {
        let ids = try adminIDs(request, ["user_id": "id", "email_id": "email"])
        let unknown = AdminRefusal.addressUnknown(ids[1], userID: ids[0])
        let announcer = try announcer(request)
        try world.change { turn in
            _ = try turn.makePrimary(ids[1], of: ids[0], orElse: unknown)
            try announcer.announce(.userUpdateEmailPrimary, userID: ids[0], in: turn)
        }
        return .noContent
    }
}
