import Essentials
import HTTP
package import PlatformKit
import SQLite

/// Users, credentials, authenticator apps, open sessions and flows.
extension Hanko: KeepsRecords {
    package static let recordKinds = [
        RecordKind<Hanko>(UserView.kind) { _, limit, db in
            try db.all(User.self, order: newest, limit: limit).compactMap { try view($0.id, in: db)?.record }
        } find: { _, id, db in
            try view(id, in: db)?.record
        } act: { hanko, action, id, inputs in
            try hanko.announcing { announcer, turn in
                action == UserView.verify
                    ? try announcer.verify(inputs["address"], of: id, in: turn)
                    : try announcer.remove(userID: id, in: turn)
            }
        },
        RecordKind(CredentialView.kind) { _, limit, db in
            try db.all(Credential.self, order: newest, limit: limit).map { try shown($0, in: db) }
        } find: { _, id, db in
            try db.credential(id).map { try shown($0, in: db) }
        } act: { hanko, _, id, _ in
            try hanko.announcing { announcer, turn in
                let owner = try known(turn.db.credential(id)?.userID, id)
                try announcer.remove(credential: id, of: owner, in: turn)
            }
        },
        RecordKind(OTPView.kind) { _, limit, db in
            try db.all(OTPSecret.self, order: newest, limit: limit).map { try shown($0, in: db) }
        } find: { _, id, db in
            try db.otpSecret(withID: id).map { try shown($0, in: db) }
        } act: { hanko, _, id, _ in
            try hanko.world.change { turn in
                try turn.removeOTP(of: known(turn.db.otpSecret(withID: id)?.userID, id))
            }
        },
        RecordKind(SessionView.kind) { hanko, limit, db in
            try db.all(
                Session.self, where: "expires_at > \(hanko.services.clock.now())", order: newest, limit: limit
            ).map { try shown($0, in: db) }
        } find: { hanko, id, db in
            let session = try db.session(id).flatMap { $0.expiresAt > hanko.services.clock.now() ? $0 : nil }
            return try session.map { try shown($0, in: db) }
        } act: { hanko, _, id, _ in
            try hanko.world.change { turn in
                _ = try turn.remove(session: id, of: known(turn.db.session(id)?.userID, id))
            }
        },
        RecordKind(FlowView.kind) { hanko, limit, db in
            try db.all(
                Flow.self, where: "expires_at > \(hanko.services.clock.now())", order: "position DESC",
                limit: limit
            ).map { FlowView($0).record }
        } find: { _, id, db in
            try db.first(Flow.self, where: "id = \(id)").map { FlowView($0).record }
        } act: { hanko, _, id, _ in
            try hanko.world.change { try $0.db.delete(Flow.self, where: "id = \(id)") }
        },
    ]

    private static let newest: SQL = "created_at DESC, rowid DESC"

    private static func shown(_ credential: Credential, in db: Connection) throws -> ConsoleRecord {
        try CredentialView(credential, of: name(credential.userID, in: db)).record
    }

    private static func shown(_ secret: OTPSecret, in db: Connection) throws -> ConsoleRecord {
        try OTPView(secret, of: name(secret.userID, in: db)).record
    }

    private static func shown(_ session: Session, in db: Connection) throws -> ConsoleRecord {
        try SessionView(session, of: name(session.userID, in: db)).record
    }

    private static func known(_ owner: String?, _ id: String) throws -> String {
        guard let owner else { throw RecordRefusal.unknown(id) }
        return owner
    }

    private static func view(_ userID: String, in db: Connection) throws -> UserView? {
        guard let account = try db.account(userID) else { return nil }
        let pending = try account.user.pendingEmailID.flatMap { try db.email($0) }
        return UserView(account: account, pending: pending)
    }

    /// What people call a user.
    private static func name(_ userID: String, in db: Connection) throws -> String {
        if let email = try db.primaryEmail(of: userID) { return email.address }
        let user = try db.user(userID)
        return try user?.username
            ?? user?.pendingEmailID.flatMap { try db.email($0)?.address }
            ?? db.emails(of: userID).first?.address
            ?? userID
    }

    /// What is done at the console comes from no client.
    private func consoleAnnouncer() throws -> Announcer { try announcer(Request(.post, "/")) }

    private func announcing(_ body: (Announcer, Turn) throws -> Void) throws {
        let announcer = try consoleAnnouncer()
        try world.change { try body(announcer, $0) }
    }
}

extension Hanko: MakesRecords {
    package static let recordMakers = [
        RecordMaker<Hanko>(UserView.kind) { _ in
            UserView.form
        } make: { hanko, inputs in
            var new = try UserView.newUser(inputs)
            new.passwordHash = try inputs["password"].map(hanko.passwordHash)
            let announcer = try hanko.consoleAnnouncer()
            return try hanko.world.change { [new] turn in try announcer.create(new, in: turn).id }
        }
    ]
}

extension Announcer {
    /// Confirms an address without its passcode.
    fileprivate func verify(_ address: String?, of userID: String, in turn: Turn) throws {
        guard let address = address?.lowercased() else { throw RecordRefusal.inputMissing("address") }
        guard let account = try turn.db.account(userID), let email = try turn.db.email(address: address),
            email.userID == userID || (email.userID == nil && account.user.pendingEmailID == email.id)
        else {
            throw RecordRefusal.inputWrong("The user has no address \(address) that waits to be verified.")
        }
        try turn.db.confirm(
            Email(
                id: email.id, userID: userID, address: address, isVerified: true,
                isPrimary: email.isPrimary || account.emails.isEmpty, createdAt: email.createdAt,
                updatedAt: turn.now))
        turn.note(
            "address verified", about: address,
            "The address \(address) was confirmed from outside and belongs to the user \(userID) now.")
        let event: WebhookEvent = account.emails.isEmpty ? .userCreate : .userUpdateEmailCreate
        try announce(event, userID: userID, in: turn)
    }
}
