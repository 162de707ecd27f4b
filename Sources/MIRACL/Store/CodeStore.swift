import Essentials
import SQLite

/// Codes and tokens that are good once. Those that ended a day ago are tidied away.
struct CodeStore: Sendable {
    static let keptSeconds = 86_400.0

    /// The newest code of these kinds with this text, spent or not.
    ///
    /// - Parameter userID: nil where the text alone names it.
    func find(
        _ kinds: [OneTimeCode.Kind], _ text: String, of userID: String? = nil, in projectID: String? = nil,
        _ db: Connection
    ) throws -> OneTimeCode? {
        try db.all(
            OneTimeCode.self, "SELECT * FROM miracl_code WHERE text = \(text) ORDER BY position DESC"
        ).first { code in
            kinds.contains(code.kind) && (userID.map { $0 == code.userID } ?? true)
                && (projectID.map { $0 == code.projectID } ?? true)
        }
    }

    /// The newest first.
    func all(
        _ kinds: [OneTimeCode.Kind], of userID: String, in projectID: String, _ db: Connection
    ) throws -> [OneTimeCode] {
        try db.all(
            OneTimeCode.self,
            """
            SELECT * FROM miracl_code WHERE project_id = \(projectID) AND user_id = \(userID)
            ORDER BY position DESC
            """
        ).filter { kinds.contains($0.kind) }
    }

    /// In the order in which they came.
    func all(in db: Connection) throws -> [OneTimeCode] {
        try db.all(OneTimeCode.self, "SELECT * FROM miracl_code ORDER BY position")
    }

    func insert(_ code: OneTimeCode, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO miracl_code (kind, text, project_id, user_id, mpin_id, origin, device_name, access_id,
                client_id, redirect_uri, state, nonce, stage, created_at, expires_at, spent_at, failures)
            VALUES (\(code.kind.rawValue), \(code.text), \(code.projectID), \(code.userID), \(code.mpinID),
                \(code.origin?.rawValue), \(code.deviceName), \(code.accessID), \(code.clientID),
                \(code.redirectURI), \(code.state), \(code.nonce), \(code.stage), \(code.createdAt),
                \(code.expiresAt), \(code.spentAt), \(code.failures))
            """)
    }

    func spend(_ code: OneTimeCode, at now: Date, in db: Connection) throws {
        try db.execute(
            """
            UPDATE miracl_code SET spent_at = \(now)
            WHERE kind = \(code.kind.rawValue) AND text = \(code.text) AND user_id = \(code.userID)
                AND project_id = \(code.projectID) AND spent_at IS NULL
            """)
    }

    /// Counts a wrong code against all that the user could have meant; too many, and they are spent.
    func noteFailure(
        _ kinds: [OneTimeCode.Kind], of userID: String, in projectID: String, at now: Date, _ db: Connection
    ) throws {
        for kind in kinds {
            try db.execute(
                """
                UPDATE miracl_code SET failures = failures + 1,
                    spent_at = CASE WHEN failures + 1 >= \(OneTimeCode.failureLimit) THEN \(now) END
                WHERE kind = \(kind.rawValue) AND project_id = \(projectID) AND user_id = \(userID)
                    AND spent_at IS NULL AND expires_at > \(now)
                """)
        }
    }

    func tidy(at now: Date, in db: Connection) throws {
        try db.execute("DELETE FROM miracl_code WHERE expires_at < \(now - Self.keptSeconds)")
    }
}
