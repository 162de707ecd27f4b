import Crypto
import Essentials
import SQLite

/// A code that was mailed to an address of a user.
struct Passcode: Sendable, Equatable {
    /// Wrong codes after which a passcode is deleted.
    static let triesAllowed = 3

    let id: String
    let userID: String
    let emailID: String
    /// See ``digest(of:id:)``.
    let digest: [UInt8]
    let ttlSeconds: Int
    let wrongTries: Int
    let createdAt: Date

    var expiresAt: Date { createdAt.addingTimeInterval(Double(ttlSeconds)) }

    /// SHA-256 over the passcode's id, a colon and the code; the random id is the salt of the row.
    ///
    /// The original uses bcrypt. A million codes are searched through in no time whatever the hash, so that would buy
    /// nothing here but waiting.
    static func digest(of code: String, id: String) -> [UInt8] {
        Digest.sha256(Array("\(id):\(code)".utf8))
    }

    func matches(_ code: String) -> Bool {
        constantTimeEqual(digest, Self.digest(of: code, id: id))
    }

    /// Why `code` is refused at `now`; nil when it is right. Expiry is checked first.
    func refusal(of code: String, at now: Date) -> HankoError? {
        guard now <= expiresAt else {
            return .passcodeExpired(self, now: now)
        }
        if matches(code) { return nil }
        let tries = wrongTries + 1
        return tries < Self.triesAllowed
            ? .passcodeWrong(code, triesLeft: Self.triesAllowed - tries, isOfAnother: nil)
            : .passcodeExhausted(code)
    }
}

extension Passcode: RowDecodable {
    init(row: Row) throws {
        id = try row.text("id")
        userID = try row.text("user_id")
        emailID = try row.text("email_id")
        digest = try row.blob("digest")
        ttlSeconds = try row.integer("ttl_seconds")
        wrongTries = try row.integer("wrong_tries")
        createdAt = try row.date("created_at")
    }
}
