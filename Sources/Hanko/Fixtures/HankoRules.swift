import Crypto
import Essentials
import HTTP
import PlatformKit
import WebAuthn

/// What the shapes of the entries cannot say.
struct HankoRules {
    /// Kinds and names of what is there so far.
    private var names: Set<String> = []

    // MARK: Users and what is theirs

    mutating func check(_ user: User, at path: [String]) throws {
        try requireNewID(user.id, of: "user", at: path + ["id"])
        if let username = user.username, !names.insert("username \(username)").inserted {
            throw FixtureProblem(at: path + ["username"], "another user is called “\(username)” already")
        }
    }

    /// The row of an address, once it is known whose it is.
    mutating func email(
        _ email: EmailFixture, of userID: String?, isPrimary: Bool, at path: [String]
    ) throws -> Email {
        let address = email.address.lowercased()
        guard userID != nil || !isPrimary else {
            throw FixtureProblem(at: path + ["is_primary"], "an address without a user cannot be primary")
        }
        guard !address.isEmpty else {
            throw FixtureProblem(at: path + ["address"], "expected an email address")
        }
        guard names.insert("address \(address)").inserted else {
            throw FixtureProblem(at: path + ["address"], "the address “\(address)” appears twice")
        }
        let id = email.id ?? EntryID.made("email", of: address)
        try requireNewID(id, of: "email", at: path + (email.id == nil ? ["address"] : ["id"]))
        let createdAt = email.createdAt ?? .ofFixtures
        return Email(
            id: id, userID: userID, address: address, isVerified: email.isVerified ?? (userID != nil),
            isPrimary: isPrimary, createdAt: createdAt, updatedAt: email.updatedAt ?? createdAt)
    }

    func check(_ password: Password, of user: User, at path: [String]) throws {
        try requireOwner(user, password.userID, at: path)
        try Self.requireUUID(password.id, at: path + ["id"])
        guard PasswordHash(text: password.hash) != nil else {
            throw FixtureProblem(
                at: path + ["hash"], "expected “$pbkdf2-sha256$ITERATIONS$SALT$HASH”")
        }
    }

    func check(_ otp: OTPSecret, of user: User, at path: [String]) throws {
        try requireOwner(user, otp.userID, at: path)
        try Self.requireUUID(otp.id, at: path + ["id"])
        guard Base32.decode(otp.secret, isLenient: true)?.isEmpty == false else {
            throw FixtureProblem(at: path + ["secret"], "expected base32: A to Z and 2 to 7")
        }
    }

    mutating func check(_ credential: Credential, of user: User, at path: [String]) throws {
        try requireOwner(user, credential.userID, at: path)
        guard let id = Base64URL.decode(credential.id), 1...1023 ~= id.count else {
            throw FixtureProblem(at: path + ["id"], "expected 1 to 1023 bytes in base64url")
        }
        guard names.insert("credential \(credential.id)").inserted else {
            throw FixtureProblem(at: path + ["id"], "the credential “\(credential.id)” appears twice")
        }
        guard 0...Int(UInt32.max) ~= credential.signCount else {
            throw FixtureProblem(at: path + ["sign_count"], "expected a number from 0 to 4294967295")
        }
        guard let key = Base64URL.decode(credential.publicKey) else {
            throw FixtureProblem(at: path + ["public_key"], "expected a COSE_Key in base64url")
        }
        do {
            _ = try COSEKey(key)
        } catch {
            throw FixtureProblem(at: path + ["public_key"], "expected a COSE_Key in base64url: \(error)")
        }
    }

    mutating func check(_ identity: Identity, of user: User, at path: [String]) throws {
        try requireOwner(user, identity.userID, at: path)
        guard names.insert("account \(identity.provider) \(identity.subject)").inserted else {
            throw FixtureProblem(
                at: path + ["subject"],
                "the account “\(identity.subject)” of \(identity.provider) appears twice")
        }
        if let emailID = identity.emailID, !names.contains("email \(emailID)") {
            throw FixtureProblem(
                at: path + ["email_id"], "the user has no address with the id “\(emailID)”")
        }
        try Self.requireLevels(of: identity.claims, at: path + ["claims"])
        try requireNewID(identity.id, of: "identity", at: path + ["id"])
    }

    func check(_ metadata: Metadata, of user: User, at path: [String]) throws {
        try requireOwner(user, metadata.userID, at: path)
        for (name, value) in [
            ("public", metadata.public), ("private", metadata.private), ("unsafe", metadata.unsafe),
        ] {
            guard let value else { continue }
            guard value.object != nil, value.text.count <= Metadata.limit else {
                throw FixtureProblem(
                    at: path + [name], "expected an object of at most \(Metadata.limit) characters")
            }
            try Self.requireLevels(of: value, at: path + [name])
        }
    }

    // MARK: The rest

    mutating func check(_ passcode: Passcode, at path: [String]) throws {
        try requireNewID(passcode.id, of: "passcode", at: path + ["id"])
        try requireUser(passcode.userID, at: path)
        try requireEmail(passcode.emailID, "email_id", at: path)
        guard 1...1_000_000 ~= passcode.ttl else {
            throw FixtureProblem(at: path + ["ttl"], "expected a number of seconds from 1 to 1000000")
        }
        guard 0..<Passcode.triesAllowed ~= passcode.wrongTries else {
            throw FixtureProblem(at: path + ["wrong_tries"], "expected 0 to \(Passcode.triesAllowed - 1)")
        }
        guard Data(base64Encoded: passcode.digest)?.count == 32 else {
            throw FixtureProblem(at: path + ["code_sha256"], "expected 32 bytes in base64")
        }
    }

    mutating func check(_ challenge: Challenge, at path: [String]) throws {
        if let userID = challenge.userID { try requireUser(userID, at: path) }
        guard Base64URL.decode(challenge.challenge) != nil else {
            throw FixtureProblem(at: path + ["challenge"], "expected base64url")
        }
        try requireNew(challenge.challenge, "challenge", at: path)
    }

    mutating func check(_ hook: Webhook, at path: [String]) throws {
        guard WebhookRules.isURL(hook.callback) else {
            throw FixtureProblem(at: path + ["callback"], "expected an http or https URL")
        }
        guard !hook.events.isEmpty else {
            throw FixtureProblem(at: path + ["events"], "expected one event at least")
        }
        guard 0...1_000_000 ~= hook.failures else {
            throw FixtureProblem(at: path + ["failures"], "expected a number from 0 to 1000000")
        }
        let isMade = hook.id == EntryID.made("webhook", of: hook.callback)
        try requireNewID(hook.id, of: "webhook", at: path + [isMade ? "callback" : "id"])
    }

    // MARK: Names

    mutating func requireNewID(_ id: String, of kind: String, at path: [String]) throws {
        try Self.requireUUID(id, at: path)
        guard names.insert("\(kind) \(id)").inserted else {
            throw FixtureProblem(at: path, "the id “\(id)” appears twice")
        }
    }

    mutating func requireNew(_ name: String, _ member: String, at path: [String]) throws {
        guard names.insert("\(member) of \(path.first ?? "") \(name)").inserted else {
            throw FixtureProblem(at: path + [member], "“\(name.prefix(60))” appears twice")
        }
    }

    func requireUser(_ id: String, at path: [String]) throws {
        guard names.contains("user \(id)") else {
            throw FixtureProblem(at: path + ["user_id"], "there is no user with the id “\(id)”")
        }
    }

    func requireEmail(_ id: String, _ member: String, at path: [String]) throws {
        guard names.contains("email \(id)") else {
            throw FixtureProblem(at: path + [member], "there is no address with the id “\(id)”")
        }
    }

    func requireIdentity(_ id: String, at path: [String]) throws {
        guard names.contains("identity \(id)") else {
            throw FixtureProblem(at: path + ["identity_id"], "there is no identity with the id “\(id)”")
        }
    }

    private func requireOwner(_ user: User, _ userID: String, at path: [String]) throws {
        guard userID == user.id else {
            throw FixtureProblem(at: path + ["user_id"], "expected the id of the user around it, or nothing")
        }
    }

    private static func requireUUID(_ id: String, at path: [String]) throws {
        guard !UUIDText.isVersion4(id) else { return }
        throw FixtureProblem(
            at: path,
            "expected a version 4 UUID in lower case, found “\(id)”"
                + (UUIDText.isVersion4(id.lowercased()) ? ": it is one in upper case" : ""))
    }

    /// What is kept as text is read as from a client, which allows fewer levels than fixtures have.
    private static func requireLevels(of value: JSONValue, at path: [String]) throws {
        do {
            _ = try JSONValue(parsing: value.bytes)
        } catch let error as DecodingError {
            throw FixtureProblem(at: path, "expected JSON that can be kept: \(error.sentence)")
        }
    }
}
