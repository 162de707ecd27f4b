import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite
import WebAuthn

extension HankoLoader {
    /// What a user signs in with, and what is kept with the user.
    mutating func loadCredentials(of user: HankoFixtures.UserFixture, at path: [String]) throws {
        if let password = user.password { try load(password, of: user.id, at: path + ["password"]) }
        if let otp = user.otp { try load(otp, of: user.id, at: path + ["otp"]) }
        for (index, credential) in (user.credentials ?? []).enumerated() {
            try load(credential, of: user.id, at: path + ["webauthn_credentials", String(index)])
        }
        for (index, identity) in (user.identities ?? []).enumerated() {
            try load(identity, of: user.id, at: path + ["identities", String(index)])
        }
        if let metadata = user.metadata { try load(metadata, of: user.id, at: path + ["metadata"]) }
    }

    private func load(
        _ password: HankoFixtures.PasswordFixture, of userID: String, at path: [String]
    ) throws {
        let createdAt = password.createdAt ?? Self.standardTime
        try PasswordStore.insert(
            Password(
                id: try Self.id(password.id, "password", userID, at: path), userID: userID,
                hash: try Self.hash(of: password, userID, at: path).text, createdAt: createdAt,
                updatedAt: password.updatedAt ?? createdAt),
            into: db)
    }

    private static func hash(
        of password: HankoFixtures.PasswordFixture, _ userID: String, at path: [String]
    ) throws -> PasswordHash {
        switch (password.text, password.hash) {
        case (let text?, nil):
            guard !text.isEmpty, text.utf8.count <= PasswordHash.maxBytes else {
                throw FixtureProblem(
                    at: path + ["text"], "expected 1 to \(PasswordHash.maxBytes) bytes of UTF-8")
            }
            return try PasswordHash(
                text, salt: Array(Digest.sha256(Array("hanko.salt \(userID)".utf8)).prefix(16)))
        case (nil, let text?):
            guard let hash = PasswordHash(text: text) else {
                throw FixtureProblem(
                    at: path + ["hash"], "expected \"$pbkdf2-sha256$ITERATIONS$SALT$HASH\"")
            }
            return hash
        default: throw FixtureProblem(at: path, "expected either \"text\" or \"hash\"")
        }
    }

    private func load(_ otp: HankoFixtures.OTPFixture, of userID: String, at path: [String]) throws {
        guard Base32.decode(otp.secret, isLenient: true)?.isEmpty == false else {
            throw FixtureProblem(at: path + ["secret"], "expected base32: A to Z and 2 to 7")
        }
        try OTPStore.insert(
            OTPSecret(
                id: try Self.id(otp.id, "otp", userID, at: path), userID: userID, secret: otp.secret,
                createdAt: otp.createdAt ?? Self.standardTime),
            into: db)
    }

    private mutating func load(
        _ credential: HankoFixtures.CredentialFixture, of userID: String, at path: [String]
    ) throws {
        guard let id = Base64URL.decode(credential.id), 1...1023 ~= id.count else {
            throw FixtureProblem(at: path + ["id"], "expected 1 to 1023 bytes in base64url")
        }
        guard credentialIDs.insert(credential.id).inserted else {
            throw FixtureProblem(at: path + ["id"], "the credential \"\(credential.id)\" stands here twice")
        }
        guard 0...Int(UInt32.max) ~= credential.signCount ?? 0 else {
            throw FixtureProblem(at: path + ["sign_count"], "expected a number from 0 to 4294967295")
        }
        let createdAt = credential.createdAt ?? Self.standardTime
        try CredentialStore.insert(
            Credential(
                id: credential.id, userID: userID, name: credential.name,
                publicKey: try Self.publicKey(of: credential, at: path),
                attestationType: credential.attestationType ?? "none",
                aaguid: credential.aaguid ?? "00000000-0000-0000-0000-000000000000",
                signCount: credential.signCount ?? 0, transports: credential.transports ?? [],
                isBackupEligible: credential.isBackupEligible ?? false,
                isBackedUp: credential.isBackedUp ?? false, isMFAOnly: credential.isMFAOnly ?? false,
                lastUsedAt: credential.lastUsedAt, createdAt: createdAt,
                updatedAt: credential.updatedAt ?? createdAt),
            into: db)
    }

    private static func publicKey(
        of credential: HankoFixtures.CredentialFixture, at path: [String]
    ) throws -> [UInt8] {
        guard let bytes = Base64URL.decode(credential.publicKey) else {
            throw FixtureProblem(at: path + ["public_key"], "expected a COSE_Key in base64url")
        }
        do {
            _ = try COSEKey(bytes)
        } catch {
            throw FixtureProblem(at: path + ["public_key"], "expected a COSE_Key in base64url: \(error)")
        }
        return bytes
    }

    private mutating func load(
        _ identity: HankoFixtures.IdentityFixture, of userID: String, at path: [String]
    ) throws {
        let key = "\(identity.provider) \(identity.subject)"
        guard identities.insert(key).inserted else {
            throw FixtureProblem(
                at: path + ["subject"],
                "the account \"\(identity.subject)\" of \(identity.provider) stands here twice")
        }
        if let emailID = identity.emailID, !emailIDs.contains(emailID) {
            throw FixtureProblem(
                at: path + ["email_id"], "the user has no address with the id \"\(emailID)\"")
        }
        if let claims = identity.claims { try Self.checkLevels(of: claims, at: path + ["claims"]) }
        let createdAt = identity.createdAt ?? Self.standardTime
        let id = try Self.id(identity.id, "identity", key, at: path)
        guard identityIDs.insert(id).inserted else {
            throw FixtureProblem(at: path + ["id"], "the id \"\(id)\" stands here twice")
        }
        try IdentityStore.insert(
            Identity(
                id: id, userID: userID,
                provider: identity.provider, subject: identity.subject, emailID: identity.emailID,
                claims: identity.claims ?? .object([:]), createdAt: createdAt,
                updatedAt: identity.updatedAt ?? createdAt, needsProof: identity.needsProof ?? false),
            into: db)
    }

    /// What is kept as text is read as from a client, which allows fewer levels than fixtures have.
    private static func checkLevels(of value: JSONValue, at path: [String]) throws {
        do {
            _ = try JSONValue(parsing: value.bytes)
        } catch let error as DecodingError {
            throw FixtureProblem(at: path, "expected JSON that can be kept: \(error.sentence)")
        }
    }

    private func load(
        _ metadata: HankoFixtures.MetadataFixture, of userID: String, at path: [String]
    ) throws {
        for (name, value) in [
            ("public", metadata.public), ("private", metadata.private), ("unsafe", metadata.unsafe),
        ] {
            guard let value else { continue }
            guard value.object != nil, value.text.count <= Metadata.limit else {
                throw FixtureProblem(
                    at: path + [name], "expected an object of at most \(Metadata.limit) characters")
            }
            try Self.checkLevels(of: value, at: path + [name])
        }
        try MetadataStore.set(
            Metadata(public: metadata.public, private: metadata.private, unsafe: metadata.unsafe),
            of: userID, in: db)
    }

    mutating func load(_ device: HankoFixtures.TrustedDeviceFixture, at path: [String]) throws {
        try requireUser(device.userID, at: path)
        guard deviceTokens.insert(device.token).inserted else {
            throw FixtureProblem(at: path + ["token"], "the token \"\(device.token)\" stands here twice")
        }
        try TrustedDeviceStore.insert(
            TrustedDevice(
                token: device.token, userID: device.userID, createdAt: device.createdAt,
                expiresAt: device.expiresAt),
            into: db)
    }

    mutating func load(_ challenge: HankoFixtures.ChallengeFixture, at path: [String]) throws {
        if let userID = challenge.userID { try requireUser(userID, at: path) }
        guard Base64URL.decode(challenge.challenge) != nil else {
            throw FixtureProblem(at: path + ["challenge"], "expected base64url")
        }
        guard challenges.insert(challenge.challenge).inserted else {
            throw FixtureProblem(at: path + ["challenge"], "this challenge stands here twice")
        }
        try ChallengeStore.insert(
            Challenge(
                challenge: challenge.challenge, ceremony: challenge.ceremony, userID: challenge.userID,
                userVerification: challenge.userVerification,
                allowedCredentials: challenge.allowedCredentials ?? [], createdAt: challenge.createdAt,
                expiresAt: challenge.expiresAt),
            into: db)
    }

    mutating func load(_ state: ThirdPartyState, at path: [String]) throws {
        if let userID = state.userID { try requireUser(userID, at: path) }
        guard thirdPartyNames.insert(state.state).inserted else {
            throw FixtureProblem(at: path + ["state"], "this state stands here twice")
        }
        try ThirdPartyStore.insert(state, into: db)
    }

    mutating func load(_ token: ThirdPartyToken, at path: [String]) throws {
        try requireUser(token.userID, at: path)
        guard identityIDs.contains(token.identityID) else {
            throw FixtureProblem(
                at: path + ["identity_id"], "there is no identity with the id \"\(token.identityID)\"")
        }
        guard thirdPartyNames.insert(token.value).inserted else {
            throw FixtureProblem(at: path + ["value"], "this token stands here twice")
        }
        try ThirdPartyStore.insert(token, into: db)
    }

    /// The id that the file gives, or one that follows from what the row is about.
    private static func id(
        _ id: String?, _ kind: String, _ about: String, at path: [String]
    ) throws -> String {
        guard let id else { return Entropy.uuid(of: Digest.sha256(Array("hanko.\(kind) \(about)".utf8))) }
        guard UUIDText.isVersion4(id) else {
            throw FixtureProblem(
                at: path + ["id"], "expected a version 4 UUID in lower case, found \"\(id)\"")
        }
        return id
    }
}
