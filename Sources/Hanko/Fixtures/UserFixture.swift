import Essentials
import PlatformKit
import SQLite

/// A user with everything that is the user's, which need not name its owner.
struct UserFixture: Codable, Sendable {
    let user: User
    var emails: [EmailFixture]?
    var password: Password?
    var otp: OTPSecret?
    var credentials: [Credential]?
    var identities: [Identity]?
    var metadata: Metadata?

    enum CodingKeys: String, CodingKey {
        case emails, password, otp
        case credentials = "webauthn_credentials"
        case identities, metadata
    }

    init(from decoder: any Decoder) throws {
        let user = try User(from: decoder)
        self.user = user
        let members = try decoder.container(keyedBy: CodingKeys.self)
        emails = try members.decodeIfPresent([EmailFixture].self, forKey: .emails)
        (password, otp, credentials, identities, metadata) = try Owner.$userID.withValue(user.id) {
            (
                try members.decodeIfPresent(Password.self, forKey: .password),
                try members.decodeIfPresent(OTPSecret.self, forKey: .otp),
                try members.decodeIfPresent([Credential].self, forKey: .credentials),
                try members.decodeIfPresent([Identity].self, forKey: .identities),
                try members.decodeIfPresent(Metadata.self, forKey: .metadata)
            )
        }
    }

    func encode(to encoder: any Encoder) throws {
        try user.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(emails, forKey: .emails)
        try members.encodeIfPresent(password, forKey: .password)
        try members.encodeIfPresent(otp, forKey: .otp)
        try members.encodeIfPresent(credentials, forKey: .credentials)
        try members.encodeIfPresent(identities, forKey: .identities)
        try members.encodeIfPresent(metadata, forKey: .metadata)
    }

    init(_ account: Account) {
        func some<Entry>(_ entries: [Entry]) -> [Entry]? { entries.isEmpty ? nil : entries }
        user = account.user
        emails = account.emails.map(EmailFixture.init)
        (password, otp) = (account.password, account.otpSecret)
        credentials = some(account.credentials)
        identities = some(account.identities)
        metadata = account.metadata.isEmpty ? nil : account.metadata
    }

    /// Everything but the address in view: that may be another user's entry further down.
    func load(_ rules: inout HankoRules, at path: [String], into db: Connection) throws {
        var user = user
        user.pendingEmailID = nil
        try rules.check(user, at: path)
        try db.insert(user)
        let primary = try primaryIndex(at: path + ["emails"])
        for (index, email) in (emails ?? []).enumerated() {
            let path = path + ["emails", String(index)]
            try db.insert(rules.email(email, of: user.id, isPrimary: index == primary, at: path))
        }
        try loadBelongings(&rules, at: path, into: db)
    }

    private func loadBelongings(_ rules: inout HankoRules, at path: [String], into db: Connection) throws {
        if let password {
            try rules.check(password, of: user, at: path + ["password"])
            try db.insert(password)
        }
        if let otp {
            try rules.check(otp, of: user, at: path + ["otp"])
            try db.insert(otp)
        }
        for (index, credential) in (credentials ?? []).enumerated() {
            try rules.check(credential, of: user, at: path + ["webauthn_credentials", String(index)])
            try db.insert(credential)
        }
        for (index, identity) in (identities ?? []).enumerated() {
            try rules.check(identity, of: user, at: path + ["identities", String(index)])
            try db.insert(identity)
        }
        if let metadata {
            try rules.check(metadata, of: user, at: path + ["metadata"])
            try db.insert(metadata)
        }
    }

    /// Position of the primary address; nil for a user without addresses, or all of whose addresses say that they are not.
    private func primaryIndex(at path: [String]) throws -> Int? {
        let emails = emails ?? []
        let marked = emails.indices.filter { emails[$0].isPrimary == true }
        if let second = marked.dropFirst().first {
            throw FixtureProblem(
                at: path + [String(second), "is_primary"],
                "a user has one primary address; another is marked already")
        }
        return marked.first ?? emails.indices.first { emails[$0].isPrimary == nil }
    }
}
