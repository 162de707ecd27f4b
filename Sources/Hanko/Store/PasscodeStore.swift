import Essentials
import SQLite

/// Codes that were mailed and not used up yet.
struct PasscodeStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE hanko_passcode (
            id TEXT PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES hanko_user (id) ON DELETE CASCADE,
            email_id TEXT NOT NULL REFERENCES hanko_email (id) ON DELETE CASCADE,
            digest BLOB NOT NULL, -- SHA-256 of the id, a colon and the code
            ttl_seconds INTEGER NOT NULL,
            wrong_tries INTEGER NOT NULL,
            created_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX hanko_passcode_user ON hanko_passcode (user_id)",
        "CREATE INDEX hanko_passcode_email ON hanko_passcode (email_id)",
    ]

    let database: Database

    /// What came of a right code.
    struct Redemption: Sendable {
        let passcode: Passcode
        let address: String
        /// Whether this code confirmed the address.
        let isConfirmation: Bool
        /// Whether the address became the primary one by it.
        let isPrimaryNow: Bool
        /// What there was not before.
        let novelty: Novelty?
        let session: OpenedSession
    }

    /// What a confirmation brought: somebody's first address makes the user complete.
    enum Novelty: Sendable { case user, address }

    /// The user whom a passcode was sent to; nil when it is gone.
    func owner(of id: String) throws -> String? {
        try database.read { try Self.passcode(id, in: $0)?.userID }
    }

    /// Uses up the passcode when `code` is right: the address is confirmed where it was not, and a session is opened.
    /// Counts the try when the code is wrong.
    ///
    /// The refusal is returned from the transaction and thrown after it: a throw inside would roll the count back.
    ///
    /// - Parameter signedInAs: the user whose session the request carries.
    func redeem(
        _ id: String, code: String, signedInAs: String?, opening: NewSession, at now: Date
    ) throws -> Redemption {
        let outcome = try database.write { db -> Result<Redemption, HankoError> in
            guard let passcode = try Self.passcode(id, in: db),
                let email = try EmailStore.email(passcode.emailID, in: db)
            else { return .failure(.passcodeUnknown(id)) }
            if let refusal = passcode.refusal(of: code, at: now) {
                return .failure(try Self.count(refusal, of: code, for: passcode, in: db))
            }
            let others = try EmailStore.emails(of: passcode.userID, in: db)
            let claim = PasscodeClaim(
                passcode: passcode, email: email, addresses: others, signedInAs: signedInAs)
            if let refusal = claim.refusal { return .failure(refusal) }
            try db.execute("DELETE FROM hanko_passcode WHERE id = \(id)")
            let confirmed = claim.confirmedEmail(at: now)
            if let confirmed { try EmailStore.confirm(confirmed, in: db) }
            return .success(
                Redemption(
                    passcode: passcode, address: email.address,
                    isConfirmation: confirmed != nil,
                    isPrimaryNow: confirmed?.isPrimary == true && !email.isPrimary,
                    novelty: email.userID != nil ? nil : others.isEmpty ? .user : .address,
                    session: try SessionStore.open(opening, for: passcode.userID, in: db)))
        }
        return try outcome.get()
    }

    /// Writes down what a refused code costs, and says more about it where the other passcodes know more.
    private static func count(
        _ refusal: HankoError, of code: String, for passcode: Passcode, in db: Connection
    ) throws -> HankoError {
        switch refusal {
        case .passcodeWrong(_, let triesLeft, _):
            try db.execute(
                "UPDATE hanko_passcode SET wrong_tries = wrong_tries + 1 WHERE id = \(passcode.id)")
            let others = try db.all(
                Passcode.self,
                "SELECT * FROM hanko_passcode WHERE user_id = \(passcode.userID) ORDER BY rowid DESC LIMIT 20"
            )
            let owner = others.first { $0.id != passcode.id && $0.matches(code) }
            return .passcodeWrong(code, triesLeft: triesLeft, isOfAnother: owner?.id)
        case .passcodeExhausted:
            try db.execute("DELETE FROM hanko_passcode WHERE id = \(passcode.id)")
        default: break
        }
        return refusal
    }

    static func passcode(_ id: String, in db: Connection) throws -> Passcode? {
        try db.first(Passcode.self, "SELECT * FROM hanko_passcode WHERE id = \(id)")
    }

    static func insert(_ passcode: Passcode, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_passcode (id, user_id, email_id, digest, ttl_seconds, wrong_tries, created_at)
            VALUES (
                \(passcode.id), \(passcode.userID), \(passcode.emailID), \(passcode.digest), \(passcode.ttlSeconds),
                \(passcode.wrongTries), \(passcode.createdAt)
            )
            """)
    }

    static func export(from db: Connection) throws -> [Passcode] {
        try db.all(Passcode.self, "SELECT * FROM hanko_passcode ORDER BY rowid")
    }
}
