import Essentials
import SQLite

/// Recovery codes.
struct RecoveryStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_recovery_code (
            position INTEGER PRIMARY KEY,
            code TEXT NOT NULL,
            application TEXT NOT NULL,
            user TEXT NOT NULL,
            activation TEXT,
            state TEXT NOT NULL,
            failed_attempts INTEGER NOT NULL,
            puks TEXT NOT NULL, -- JSON array of [value, state]
            UNIQUE (code, application)
        ) STRICT
        """,
        "CREATE INDEX powerauth_recovery_code_activation ON powerauth_recovery_code (activation)",
    ]

    func find(_ code: String, of application: String, in db: Connection) throws -> RecoveryCode? {
        try db.first(
            RecoveryCode.self,
            "SELECT * FROM powerauth_recovery_code WHERE code = \(code) AND application = \(application)")
    }

    /// In the order in which they were made.
    func all(in db: Connection) throws -> [RecoveryCode] {
        try db.all(RecoveryCode.self, "SELECT * FROM powerauth_recovery_code ORDER BY position")
    }

    func all(of activation: String, in db: Connection) throws -> [RecoveryCode] {
        try db.all(
            RecoveryCode.self,
            "SELECT * FROM powerauth_recovery_code WHERE activation = \(activation) ORDER BY position")
    }

    func find(id: Int, in db: Connection) throws -> RecoveryCode? {
        try db.first(
            RecoveryCode.self, "SELECT * FROM powerauth_recovery_code WHERE position = \(id)")
    }

    /// - Returns: its id.
    @discardableResult
    func insert(_ code: RecoveryCode, in db: Connection) throws -> Int {
        try db.execute(
            """
            INSERT INTO powerauth_recovery_code (code, application, user, activation, state, failed_attempts, puks)
            VALUES (\(code.code), \(code.application), \(code.user), \(code.activation),
                \(code.state.rawValue), \(code.failedAttempts), \(code.pukText))
            """)
        return db.lastInsertID
    }

    func update(_ code: RecoveryCode, in db: Connection) throws {
        try db.execute(
            """
            UPDATE powerauth_recovery_code
            SET activation = \(code.activation), state = \(code.state.rawValue),
                failed_attempts = \(code.failedAttempts), puks = \(code.pukText)
            WHERE code = \(code.code) AND application = \(code.application)
            """)
    }
}

extension RecoveryCode: RowDecodable {
    init(row: Row) throws {
        let code = try row.text("code")
        guard let state = State(rawValue: try row.text("state")),
            let pairs = try row.json("puks").array?.compactMap(\.strings)
        else { throw StoredValueUnknown(table: "powerauth_recovery_code", id: code) }
        let puks = try pairs.map { pair -> PUK in
            guard pair.count == 2, let state = PUK.State(rawValue: pair[1]) else {
                throw StoredValueUnknown(table: "powerauth_recovery_code", id: code)
            }
            return PUK(value: pair[0], state: state)
        }
        self.init(
            id: try row.integer("position"), code: code, application: try row.text("application"),
            user: try row.text("user"),
            activation: try row.optionalText("activation"), state: state,
            failedAttempts: try row.integer("failed_attempts"), puks: puks)
    }

    fileprivate var pukText: String {
        JSONValue.array(puks.map { JSONValue([$0.value, $0.state.rawValue]) }).text
    }
}
