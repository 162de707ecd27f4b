import Essentials
import SQLite

extension AccountStore {
    /// Sets or changes a password.
    ///
    /// - Parameter id: of the row, when it is the user's first.
    /// - Returns: whether it is.
    func setPassword(
        _ hash: PasswordHash, of userID: String, id: String, signedInAs: String, at now: Date
    ) throws -> Bool {
        try database.write { db in
            guard try UserStore.user(userID, in: db) != nil else {
                throw HankoError.password(.userUnknown(userID))
            }
            guard userID == signedInAs else {
                throw HankoError.password(.ofAnother(userID, signedInAs: signedInAs))
            }
            let isFirst = try PasswordStore.password(of: userID, in: db) == nil
            try PasswordStore.set(hash, of: userID, id: id, at: now, in: db)
            return isFirst
        }
    }

    /// A login with a password.
    struct PasswordLogin: Sendable {
        let session: OpenedSession
        /// Nil where limits are off.
        let standing: RateLimit?
    }

    /// Counts the call and opens a session when the password is right.
    ///
    /// A refusal is returned from the transaction and thrown after it: a throw inside would roll the count back.
    ///
    /// - Parameter limit: nil where limits are off.
    func logIn(
        _ userID: String, password: String, limit: PasscodeOrder.Limit?, opening: NewSession, at now: Date
    ) throws -> PasswordLogin {
        let outcome = try database.write { db -> Result<PasswordLogin, HankoError> in
            let standing = try limit.map { try RateLimitStore.take($0.key, under: $0.rule, at: now, in: db) }
            if let limit, let standing, !standing.isGranted {
                return .failure(.rateLimited(standing, calls: limit.calls))
            }
            if let fault = try Self.fault(of: password, userID: userID, in: db) {
                let refusal = HankoError.password(fault)
                return .failure(standing.map { HankoError.limited($0, refusal) } ?? refusal)
            }
            return .success(
                PasswordLogin(
                    session: try SessionStore.open(opening, for: userID, in: db), standing: standing))
        }
        return try outcome.get()
    }

    /// Nil when the password is the user's.
    private static func fault(of text: String, userID: String, in db: Connection) throws -> PasswordFault? {
        guard try UserStore.user(userID, in: db) != nil else { return .userUnknown(userID) }
        guard text.utf8.count <= PasswordHash.maxBytes else { return .tooLong(count: text.utf8.count) }
        guard let password = try PasswordStore.password(of: userID, in: db) else {
            return .absent(userID: userID)
        }
        if try password.matches(text) { return nil }
        let trimmed = text.trimmingWhiteSpace
        return .wrong(userID: userID, isRightTrimmed: try trimmed != text && password.matches(trimmed))
    }
}

extension String {
    /// Without the white space at both ends.
    fileprivate var trimmingWhiteSpace: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
