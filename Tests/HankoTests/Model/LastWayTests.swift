import Essentials
import Testing

@testable import Hanko

/// What may not be taken from a user, by what the user has and what the configuration allows.
struct LastWayTests {
    private static let now = Date(timeIntervalSince1970: 1_767_323_045)
    private static let nothingElse = "nothing else would be left to sign in with"

    /// What somebody has, as a set of words.
    private enum Thing {
        case email, second, username, password, passkey, twoPasskeys, key, twoKeys, otp, google
    }

    private static func account(_ things: Set<Thing>) -> Account {
        var emails: [Email] = []
        if things.contains(.email) || things.contains(.second) { emails.append(email("e1", isPrimary: true)) }
        if things.contains(.second) { emails.append(email("e2", isPrimary: false)) }
        var credentials: [Credential] = []
        if things.contains(.passkey) || things.contains(.twoPasskeys) { credentials.append(credential("p1")) }
        if things.contains(.twoPasskeys) { credentials.append(credential("p2")) }
        if things.contains(.key) || things.contains(.twoKeys) {
            credentials.append(credential("k1", isMFAOnly: true))
        }
        if things.contains(.twoKeys) { credentials.append(credential("k2", isMFAOnly: true)) }
        return Account(
            user: User(id: Ada.id, username: things.contains(.username) ? "ada" : nil, createdAt: now),
            emails: emails, credentials: credentials,
            password: things.contains(.password)
                ? Password(id: "w", userID: Ada.id, hash: "", createdAt: now, updatedAt: now) : nil,
            otpSecret: things.contains(.otp)
                ? OTPSecret(id: "o", userID: Ada.id, secret: "", createdAt: now) : nil,
            identities: things.contains(.google)
                ? [
                    Identity(
                        id: "i", userID: Ada.id, provider: "google", subject: "s", emailID: "e1",
                        claims: [:], createdAt: now, updatedAt: now)
                ] : [],
            metadata: Metadata(userID: Ada.id))
    }

    private static func email(_ id: String, isPrimary: Bool) -> Email {
        Email(
            id: id, userID: Ada.id, address: "\(id)@example.com", isVerified: true, isPrimary: isPrimary,
            createdAt: now, updatedAt: now)
    }

    private static func credential(_ id: String, isMFAOnly: Bool = false) -> Credential {
        Credential(
            id: id, userID: Ada.id, publicKey: "", attestationType: "none", aaguid: "", signCount: 0,
            transports: [], isBackupEligible: false, isBackedUp: false, isMFAOnly: isMFAOnly,
            createdAt: now, updatedAt: now)
    }

    /// Everything that can be optional is, and usernames are enabled; `change` says otherwise.
    private static func configuration(
        _ change: (inout Configuration) throws -> Void = { _ in }
    ) throws -> Configuration {
        var config = Configuration()
        config.email.isOptional = true
        config.password.isOptional = true
        config.passkey.isOptional = true
        config.username.isEnabled = true
        config.username.isOptional = true
        try change(&config)
        return config
    }

    private static func withoutPasscodes(_ config: inout Configuration) {
        config.email.isUsedForAuthentication = false
    }

    private static func withGoogle(_ config: inout Configuration) throws {
        withoutPasscodes(&config)
        config.thirdParty = try Configuration(
            json: #"{"third_party": {"providers": {"google": {"enabled": true, "client_id": "c"}}}}"#
        ).thirdParty
    }

    @Test func `addresses`() throws {
        func reason(
            _ things: Set<Thing>, last: Bool = false,
            _ change: (inout Configuration) throws -> Void = { _ in }
        ) throws -> String? {
            let account = Self.account(things)
            let email = try #require(last ? account.emails.last : account.emails.first)
            return account.reasonToKeep(email, under: try Self.configuration(change))
        }

        // The primary one.
        #expect(try reason([.second, .passkey]) == "it is the primary address, and there are others")
        #expect(
            try reason([.email, .passkey]) { $0.email.isOptional = false }
                == "it is the last address, and email.optional is false")
        #expect(try reason([.email]) == Self.nothingElse)
        #expect(try reason([.email, .passkey]) == nil)
        #expect(try reason([.email, .passkey]) { $0.passkey.isEnabled = false } == Self.nothingElse)
        #expect(try reason([.email, .key]) == Self.nothingElse)
        #expect(try reason([.email, .password]) == Self.nothingElse)
        #expect(try reason([.email, .password, .username]) == nil)
        #expect(
            try reason([.email, .password, .username]) { $0.password.isEnabled = false }
                == Self.nothingElse)
        #expect(
            try reason([.email, .password, .username]) { $0.username.isLoginIdentifier = false }
                == Self.nothingElse)
        #expect(try reason([.email, .username]) == Self.nothingElse)

        // One of the others.
        #expect(try reason([.second], last: true) == nil)
        #expect(try reason([.second], last: true) { $0.email.isOptional = false } == nil)
        #expect(try reason([.second], last: true, Self.withoutPasscodes) == Self.nothingElse)
        #expect(try reason([.second, .password], last: true, Self.withoutPasscodes) == nil)
        #expect(try reason([.second, .passkey], last: true, Self.withoutPasscodes) == nil)
        #expect(try reason([.second, .google], last: true, Self.withGoogle) == nil)
        #expect(try reason([.second, .google], last: true, Self.withoutPasscodes) == Self.nothingElse)
    }

    @Test func `passwords`() throws {
        func reason(
            _ things: Set<Thing>, _ change: (inout Configuration) throws -> Void = { _ in }
        ) throws -> String? {
            Self.account(things.union([.password]))
                .reasonToKeepPassword(under: try Self.configuration(change))
        }

        #expect(
            try reason([.email, .passkey]) { $0.password.isOptional = false }
                == "password.optional is false")
        #expect(try reason([.email]) == nil)
        #expect(try reason([.email], Self.withoutPasscodes) == Self.nothingElse)
        #expect(try reason([.email]) { $0.email.isLoginIdentifier = false } == Self.nothingElse)
        #expect(try reason([.email, .username]) { $0.email.isLoginIdentifier = false } == nil)
        #expect(try reason([.username]) == Self.nothingElse)
        #expect(try reason([.username, .passkey]) == nil)
        #expect(try reason([.username, .key]) == Self.nothingElse)
        #expect(try reason([.username, .passkey]) { $0.passkey.isEnabled = false } == Self.nothingElse)
        #expect(try reason([.email, .google], Self.withGoogle) == nil)
        #expect(try reason([.email, .google], Self.withoutPasscodes) == Self.nothingElse)
    }

    @Test func `usernames`() throws {
        func reason(
            _ things: Set<Thing>, _ change: (inout Configuration) throws -> Void = { _ in }
        ) throws -> String? {
            Self.account(things.union([.username]))
                .reasonToKeepUsername(under: try Self.configuration(change))
        }

        let needed = "the user has neither an address nor a passkey to sign in with instead"
        #expect(
            try reason([.email]) { $0.username.isOptional = false } == "username.optional is false")
        #expect(try reason([.email]) == nil)
        #expect(try reason([.passkey]) == nil)
        #expect(try reason([.passkey]) { $0.passkey.isEnabled = false } == needed)
        #expect(try reason([.key]) == needed)
        #expect(try reason([.password]) == needed)
    }

    @Test func `passkeys`() throws {
        func reason(
            _ things: Set<Thing>, _ change: (inout Configuration) throws -> Void = { _ in }
        ) throws -> String? {
            Self.account(things).reasonToKeepPasskey(under: try Self.configuration(change))
        }

        #expect(try reason([.twoPasskeys], Self.withoutPasscodes) == nil)
        #expect(try reason([.twoPasskeys]) { $0.passkey.isOptional = false } == nil)
        #expect(
            try reason([.email, .passkey]) { $0.passkey.isOptional = false }
                == "it is the last passkey, and passkey.optional is false")
        #expect(try reason([.email, .passkey]) == nil)
        #expect(try reason([.email, .passkey, .key], Self.withoutPasscodes) == Self.nothingElse)
        #expect(try reason([.email, .passkey, .password], Self.withoutPasscodes) == nil)
        #expect(try reason([.passkey, .password]) == Self.nothingElse)
        #expect(try reason([.passkey, .password, .username]) == nil)
        #expect(
            try reason([.passkey, .password, .username]) { $0.password.isEnabled = false }
                == Self.nothingElse)
        #expect(try reason([.email, .passkey, .google], Self.withGoogle) == nil)
    }

    @Test func `second factors`() throws {
        let last = "it is the last second factor, and mfa.optional is false"
        let required = try Self.configuration { $0.mfa.isOptional = false }
        let off = try Self.configuration {
            $0.mfa.isEnabled = false
            $0.mfa.isOptional = false
        }
        let optional = try Self.configuration()

        #expect(Self.account([.key]).reasonToKeepSecurityKey(under: required) == last)
        #expect(Self.account([.key, .passkey]).reasonToKeepSecurityKey(under: required) == last)
        #expect(Self.account([.twoKeys]).reasonToKeepSecurityKey(under: required) == nil)
        #expect(Self.account([.key, .otp]).reasonToKeepSecurityKey(under: required) == nil)
        #expect(Self.account([.key]).reasonToKeepSecurityKey(under: optional) == nil)
        #expect(Self.account([.key]).reasonToKeepSecurityKey(under: off) == nil)
        #expect(Self.account([.otp]).reasonToKeepOTP(under: required) == last)
        #expect(Self.account([.otp, .passkey]).reasonToKeepOTP(under: required) == last)
        #expect(Self.account([.otp, .key]).reasonToKeepOTP(under: required) == nil)
        #expect(Self.account([.otp]).reasonToKeepOTP(under: optional) == nil)
        #expect(Self.account([.otp]).reasonToKeepOTP(under: off) == nil)
    }
}
