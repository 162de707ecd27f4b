import Essentials
import SQLite

/// Mobile authentication transactions, from their start to a day after their end, and the attempts to tell their results.
struct TransactionStore: Sendable {
    /// The newest so many are kept.
    static let limit = 10_000

    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_transaction (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE, -- UUID
            type TEXT NOT NULL,
            method TEXT NOT NULL,
            portal TEXT NOT NULL,
            callback_uri TEXT NOT NULL,
            message TEXT NOT NULL,
            secure_message TEXT,
            signing_data TEXT,
            otp TEXT, -- 64 hex digits
            challenge TEXT NOT NULL, -- 32 hex digits
            page_key TEXT NOT NULL, -- 32 hex digits
            subject TEXT,
            client_id TEXT,
            profile_id TEXT,
            phone_number TEXT,
            sms_code TEXT,
            attempts INTEGER NOT NULL,
            resends INTEGER NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            signature TEXT, -- base64
            user_public_key TEXT, -- PEM
            signature_verified INTEGER CHECK (signature_verified IN (0, 1)),
            callback TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            fetched_at INTEGER, -- milliseconds since 1970 UTC
            ended_at INTEGER, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            gone_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX onegini_transaction_client ON onegini_transaction (client_id, state)",
        "CREATE INDEX onegini_transaction_gone ON onegini_transaction (gone_at)",
        """
        CREATE TABLE onegini_callback (
            position INTEGER PRIMARY KEY,
            transaction_id TEXT NOT NULL REFERENCES onegini_transaction (id) ON DELETE CASCADE,
            url TEXT NOT NULL,
            status INTEGER,
            duration REAL NOT NULL, -- milliseconds
            failure TEXT,
            at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX onegini_callback_transaction ON onegini_callback (transaction_id)",
    ]

    /// Nil for one whose day after its end is over as well.
    func find(_ id: String, at now: Date, in db: Connection) throws -> MobileTransaction? {
        try db.first(
            MobileTransaction.self,
            "SELECT * FROM onegini_transaction WHERE id = \(id) AND gone_at > \(now)")
    }

    /// Newest first, at most `count`.
    func newest(_ count: Int, at now: Date, in db: Connection) throws -> [MobileTransaction] {
        try db.all(
            MobileTransaction.self,
            """
            SELECT * FROM onegini_transaction WHERE gone_at > \(now) ORDER BY position DESC LIMIT \(count)
            """)
    }

    /// Oldest first.
    func all(in db: Connection) throws -> [MobileTransaction] {
        try db.all(MobileTransaction.self, "SELECT * FROM onegini_transaction ORDER BY position")
    }

    /// Pushes that wait on this device, oldest first.
    ///
    /// - Parameter profileID: those of one profile alone.
    func pending(
        on clientID: String, profile profileID: String?, at now: Date, in db: Connection
    ) throws -> [MobileTransaction] {
        try db.all(
            MobileTransaction.self,
            """
            SELECT * FROM onegini_transaction
            WHERE client_id = \(clientID) AND state = \(MobileTransactionState.initialized.rawValue)
                AND profile_id = coalesce(\(profileID), profile_id) AND expires_at > \(now)
            ORDER BY created_at, position
            """)
    }

    /// Adds a transaction and drops those whose time is over.
    func insert(_ transaction: MobileTransaction, at now: Date, in db: Connection) throws {
        try db.execute("DELETE FROM onegini_transaction WHERE gone_at <= \(now)")
        try insert(transaction, in: db)
        try db.execute(
            "DELETE FROM onegini_transaction WHERE position <= \(db.lastInsertID - Self.limit)")
    }

    func insert(_ transaction: MobileTransaction, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO onegini_transaction (id, type, method, portal, callback_uri, message, secure_message,
                signing_data, otp, challenge, page_key, subject, client_id, profile_id, phone_number,
                sms_code, attempts, resends, state, reason, signature, user_public_key, signature_verified,
                callback, created_at, fetched_at, ended_at, expires_at, gone_at)
            VALUES (\(transaction.id), \(transaction.type), \(transaction.method.rawValue),
                \(transaction.portal), \(transaction.callbackURI), \(transaction.message),
                \(transaction.secureMessage), \(transaction.signingData), \(transaction.otp),
                \(transaction.challenge), \(transaction.pageKey), \(transaction.subject),
                \(transaction.clientID), \(transaction.profileID), \(transaction.phoneNumber),
                \(transaction.smsCode), \(transaction.attempts), \(transaction.resends),
                \(transaction.stored.rawValue), \(transaction.reason?.rawValue),
                \(transaction.signature?.text), \(transaction.signature?.publicKey),
                \(transaction.signature?.isVerified), \(transaction.callback?.rawValue),
                \(transaction.createdAt), \(transaction.fetchedAt), \(transaction.endedAt),
                \(transaction.expiresAt), \(transaction.goneAt))
            """)
    }

    /// Writes everything that can change after the start.
    func update(_ transaction: MobileTransaction, in db: Connection) throws {
        try db.execute(
            """
            UPDATE onegini_transaction SET subject = \(transaction.subject), client_id = \(transaction.clientID),
                profile_id = \(transaction.profileID), attempts = \(transaction.attempts),
                resends = \(transaction.resends), state = \(transaction.stored.rawValue),
                reason = \(transaction.reason?.rawValue), signature = \(transaction.signature?.text),
                user_public_key = \(transaction.signature?.publicKey),
                signature_verified = \(transaction.signature?.isVerified),
                callback = \(transaction.callback?.rawValue), fetched_at = \(transaction.fetchedAt),
                ended_at = \(transaction.endedAt), expires_at = \(transaction.expiresAt),
                gone_at = \(transaction.goneAt)
            WHERE id = \(transaction.id)
            """)
    }
}
