import Crypto
import Essentials
import PlatformKit
import SQLite

/// Writes the entries of the fixtures one by one, and refuses what the shapes cannot say.
struct HankoLoader {
    let db: Connection
    /// What is there so far.
    private var userIDs: Set<String> = []
    private var usernames: Set<String> = []
    private(set) var emailIDs: Set<String> = []
    private var addresses: Set<String> = []
    private var passcodeIDs: Set<String> = []
    private var sessionIDs: Set<String> = []
    private var rateLimitKeys: Set<String> = []
    var flowIDs: Set<String> = []
    var credentialIDs: Set<String> = []
    var identities: Set<String> = []
    var deviceTokens: Set<String> = []
    var challenges: Set<String> = []
    var identityIDs: Set<String> = []
    var thirdPartyNames: Set<String> = []
    var webhookIDs: Set<String> = []
    var auditIDs: Set<String> = []

    init(db: Connection) { self.db = db }

    /// The time of an entry that says none: 2026-01-01T00:00:00Z.
    static let standardTime = Date(timeIntervalSince1970: 1_767_225_600)

    mutating func load(_ user: HankoFixtures.UserFixture, at path: [String]) throws {
        try Self.insert(user.id, into: &userIDs, at: path + ["id"])
        if let username = user.username, !usernames.insert(username).inserted {
            throw FixtureProblem(at: path + ["username"], "another user is called \"\(username)\" already")
        }
        let createdAt = user.createdAt ?? Self.standardTime
        var row = User(
            id: user.id, name: user.name, givenName: user.givenName, familyName: user.familyName,
            picture: user.picture, createdAt: createdAt)
        if let username = user.username {
            row.rename(username, at: user.usernameCreatedAt ?? createdAt)
            row.rename(username, at: user.usernameUpdatedAt ?? user.usernameCreatedAt ?? createdAt)
        }
        row.updatedAt = user.updatedAt ?? createdAt
        try UserStore.insert(row, into: db)
        let emails = user.emails ?? []
        let primary = try Self.primary(of: emails, at: path + ["emails"])
        for (index, email) in emails.enumerated() {
            try load(
                email, userID: user.id, isPrimary: index == primary, at: path + ["emails", String(index)])
        }
        try loadCredentials(of: user, at: path)
    }

    /// Names the address that a user has not confirmed; only possible when all addresses are in.
    func loadPending(of user: HankoFixtures.UserFixture, at path: [String]) throws {
        guard let pending = user.pendingEmailID else { return }
        guard emailIDs.contains(pending) else {
            throw FixtureProblem(
                at: path + ["pending_email_id"], "there is no address with the id \"\(pending)\"")
        }
        try db.execute("UPDATE hanko_user SET pending_email_id = \(pending) WHERE id = \(user.id)")
    }

    mutating func load(
        _ email: HankoFixtures.EmailFixture, userID: String?, isPrimary: Bool, at path: [String]
    ) throws {
        let address = email.address.lowercased()
        guard userID != nil || !isPrimary else {
            throw FixtureProblem(at: path + ["is_primary"], "an address that is nobody's cannot be primary")
        }
        guard !address.isEmpty else {
            throw FixtureProblem(at: path + ["address"], "expected a mail address")
        }
        guard addresses.insert(address).inserted else {
            throw FixtureProblem(at: path + ["address"], "the address \"\(address)\" stands here twice")
        }
        let id = email.id ?? Entropy.uuid(of: Digest.sha256(Array("hanko.email \(address)".utf8)))
        try Self.insert(id, into: &emailIDs, at: path + (email.id == nil ? ["address"] : ["id"]))
        let createdAt = email.createdAt ?? Self.standardTime
        try EmailStore.insert(
            Email(
                id: id, userID: userID, address: address, isVerified: email.isVerified ?? (userID != nil),
                isPrimary: isPrimary, createdAt: createdAt, updatedAt: email.updatedAt ?? createdAt),
            into: db)
    }

    mutating func load(_ passcode: HankoFixtures.PasscodeFixture, at path: [String]) throws {
        try Self.insert(passcode.id, into: &passcodeIDs, at: path + ["id"])
        try requireUser(passcode.userID, at: path)
        guard emailIDs.contains(passcode.emailID) else {
            throw FixtureProblem(
                at: path + ["email_id"], "there is no address with the id \"\(passcode.emailID)\"")
        }
        let (ttl, tries) = (passcode.ttl ?? 300, passcode.wrongTries ?? 0)
        guard 1...1_000_000 ~= ttl else {
            throw FixtureProblem(at: path + ["ttl"], "expected a number of seconds from 1 to 1000000")
        }
        guard 0..<Passcode.triesAllowed ~= tries else {
            throw FixtureProblem(at: path + ["wrong_tries"], "expected 0 to \(Passcode.triesAllowed - 1)")
        }
        try PasscodeStore.insert(
            Passcode(
                id: passcode.id, userID: passcode.userID, emailID: passcode.emailID,
                digest: Self.digest(of: passcode, at: path), ttlSeconds: ttl, wrongTries: tries,
                createdAt: passcode.createdAt),
            into: db)
    }

    mutating func load(_ session: HankoFixtures.SessionFixture, at path: [String]) throws {
        try Self.insert(session.id, into: &sessionIDs, at: path + ["id"])
        try requireUser(session.userID, at: path)
        try SessionStore.insert(
            Session(
                id: session.id, userID: session.userID, userAgent: session.userAgent,
                ipAddress: session.ipAddress,
                createdAt: session.createdAt, updatedAt: session.updatedAt ?? session.createdAt,
                expiresAt: session.expiresAt, lastUsed: session.lastUsed ?? session.createdAt),
            into: db)
    }

    mutating func load(_ limit: HankoFixtures.RateLimitFixture, at path: [String]) throws {
        guard rateLimitKeys.insert(limit.key).inserted else {
            throw FixtureProblem(at: path + ["key"], "the key \"\(limit.key)\" stands here twice")
        }
        guard limit.used >= 0 else {
            throw FixtureProblem(at: path + ["used"], "expected no negative number")
        }
        try RateLimitStore.insert(
            RateLimitRow(key: limit.key, bucket: .init(since: limit.since, used: limit.used)), into: db)
    }

    func requireUser(_ id: String, at path: [String]) throws {
        guard userIDs.contains(id) else {
            throw FixtureProblem(at: path + ["user_id"], "there is no user with the id \"\(id)\"")
        }
    }

    /// Position of the primary address; nil for a user without addresses.
    private static func primary(of emails: [HankoFixtures.EmailFixture], at path: [String]) throws -> Int? {
        let marked = emails.indices.filter { emails[$0].isPrimary == true }
        if let second = marked.dropFirst().first {
            throw FixtureProblem(
                at: path + [String(second), "is_primary"],
                "a user has one primary address; another is marked already")
        }
        let primary = marked.first ?? emails.indices.first { emails[$0].isPrimary == nil }
        guard emails.isEmpty || primary != nil else {
            throw FixtureProblem(at: path, "one address of a user must be primary")
        }
        return primary
    }

    private static func digest(of passcode: HankoFixtures.PasscodeFixture, at path: [String]) throws
        -> [UInt8]
    {
        switch (passcode.code, passcode.digest) {
        case (let code?, nil):
            guard code.utf8.count == 6, code.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                throw FixtureProblem(at: path + ["code"], "expected six digits, found \"\(code)\"")
            }
            return Passcode.digest(of: code, id: passcode.id)
        case (nil, let text?):
            guard let digest = Data(base64Encoded: text), digest.count == 32 else {
                throw FixtureProblem(at: path + ["code_sha256"], "expected 32 bytes in base64")
            }
            return [UInt8](digest)
        default: throw FixtureProblem(at: path, "expected either \"code\" or \"code_sha256\"")
        }
    }

    static func insert(_ id: String, into ids: inout Set<String>, at path: [String]) throws {
        guard UUIDText.isVersion4(id) else {
            throw FixtureProblem(
                at: path,
                "expected a version 4 UUID in lower case, found \"\(id)\""
                    + (UUIDText.isVersion4(id.lowercased()) ? ": it is one in upper case" : ""))
        }
        guard ids.insert(id).inserted else {
            throw FixtureProblem(at: path, "the id \"\(id)\" stands here twice")
        }
    }
}
