import Essentials
import HTTP
package import PlatformKit
import SQLite

extension Hanko {
    /// How many of each kind the list has, the newest.
    private static let shown = 500

    /// Users, credentials, authenticator apps, open sessions and flows.
    package func records() throws -> [ConsoleRecord] {
        let now = services.clock.now()
        let found = try database.read { db in
            let users = try db.all(
                User.self, "SELECT * FROM hanko_user ORDER BY created_at DESC, rowid DESC LIMIT \(Self.shown)"
            )
            let credentials = try db.all(
                Credential.self,
                "SELECT * FROM hanko_credential ORDER BY created_at DESC, rowid DESC LIMIT \(Self.shown)")
            let secrets = try db.all(
                OTPSecret.self,
                "SELECT * FROM hanko_otp_secret ORDER BY created_at DESC, rowid DESC LIMIT \(Self.shown)")
            let sessions = try db.all(
                Session.self,
                """
                SELECT * FROM hanko_session WHERE expires_at > \(now)
                ORDER BY created_at DESC, rowid DESC LIMIT \(Self.shown)
                """)
            let flows = try db.all(
                Flow.self,
                "SELECT * FROM hanko_flow WHERE expires_at > \(now) ORDER BY position DESC LIMIT \(Self.shown)"
            )
            return try users.compactMap { try Self.view($0.id, in: db)?.record }
                + credentials.map { try CredentialView($0, of: Self.name($0.userID, in: db)).record }
                + secrets.map { try OTPView($0, of: Self.name($0.userID, in: db)).record }
                + sessions.map { try SessionView($0, of: Self.name($0.userID, in: db)).record }
                + flows.map { FlowView($0).record }
        }
        // Stable: what is of the same time keeps the order of the kinds.
        return found.enumerated().sorted {
            ($1.element.createdAt, $0.offset) < ($0.element.createdAt, $1.offset)
        }.map(\.element)
    }

    package func record(_ id: String) throws -> ConsoleRecord? {
        let now = services.clock.now()
        return try database.read { db in
            if let view = try Self.view(id, in: db) { return view.record }
            if let session = try db.session(id), session.expiresAt > now {
                return try SessionView(session, of: Self.name(session.userID, in: db)).record
            }
            if let secret = try db.otpSecret(withID: id) {
                return try OTPView(secret, of: Self.name(secret.userID, in: db)).record
            }
            if let flow = try db.first(Flow.self, where: "id = \(id)") { return FlowView(flow).record }
            return try db.credential(id).map {
                try CredentialView($0, of: Self.name($0.userID, in: db)).record
            }
        }
    }

    private static func view(_ userID: String, in db: Connection) throws -> UserView? {
        guard let account = try db.account(userID) else { return nil }
        let pending = try account.user.pendingEmailID.flatMap { try db.email($0) }
        return UserView(account: account, pending: pending)
    }

    /// What people call a user.
    private static func name(_ userID: String, in db: Connection) throws -> String {
        try db.primaryEmail(of: userID)?.address ?? db.user(userID)?.username
            ?? userID
    }

    /// What is done at the console comes from no client.
    private func consoleAnnouncer() throws -> Announcer { try announcer(Request(.post, "/")) }

    package func perform(_ action: String, onRecord id: String, _ inputs: [String: String]) throws {
        guard let record = try record(id) else { throw RecordRefusal.unknown(id) }
        guard record.actions.contains(where: { $0.name == action }) else {
            throw RecordRefusal.actionUnknown(action, known: record.actions.map(\.name))
        }
        let announcer = try consoleAnnouncer()
        try world.change { turn in
            switch record.kind {
            case UserView.kind where action == UserView.verify:
                try announcer.verify(inputs["address"], of: id, in: turn)
            case UserView.kind: try announcer.remove(userID: id, in: turn)
            case FlowView.kind: try turn.db.delete(Flow.self, where: "id = \(id)")
            default: try announcer.removeBelonging(record, in: turn)
            }
        }
    }

    // MARK: Making

    package func newRecords() throws -> [NewRecord] { [UserView.form] }

    package func makeRecord(_ kind: String, _ inputs: [String: String]) throws -> String {
        guard kind == UserView.kind else { throw RecordRefusal.kindUnknown(kind, known: [UserView.kind]) }
        var new = try UserView.newUser(inputs)
        new.passwordHash = try inputs["password"].map(passwordHash)
        let announcer = try consoleAnnouncer()
        return try world.change { [new] turn in try announcer.create(new, in: turn).id }
    }
}

extension Announcer {
    fileprivate func removeBelonging(_ record: ConsoleRecord, in turn: Turn) throws {
        let (id, db) = (record.id, turn.db)
        let owner =
            switch record.kind {
            case SessionView.kind: try db.session(id)?.userID
            case OTPView.kind: try db.otpSecret(withID: id)?.userID
            default: try db.credential(id)?.userID
            }
        guard let owner else { throw RecordRefusal.unknown(id) }
        switch record.kind {
        case SessionView.kind: try turn.remove(session: id, of: owner)
        case OTPView.kind: try turn.removeOTP(of: owner)
        default: try remove(credential: id, of: owner, in: turn)
        }
    }

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
