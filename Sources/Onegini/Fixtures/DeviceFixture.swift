import Essentials

/// One device in a fixture file, with its profiles.
struct DeviceFixture: Codable, Sendable {
    /// 64 hex digits in upper case.
    var clientID: String
    /// For a device whose client does not stand in `oauth.clients`: it is made from the application's settings.
    var clientSecret: String?
    var application: String
    var platform: ApplicationVersion.Platform
    var version: String
    var name: String?
    var model: String?
    var osVersion: String?
    /// 2026-01-01 when left out.
    var createdAt: Date?
    var lastLoginAt: Date?
    var profiles: [ProfileFixture]?
    /// Profiles that were removed on the server and of which the device was not told yet.
    var removedProfiles: [String]?

    enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case clientSecret = "client_secret"
        case application, platform, version, name, model
        case osVersion = "os_version"
        case createdAt = "created_at"
        case lastLoginAt = "last_login_at"
        case profiles
        case removedProfiles = "removed_profiles"
    }
}

/// One user of a device in a fixture file.
struct ProfileFixture: Codable, Sendable {
    /// Six of `A-Z` and `0-9`.
    var id: String
    /// `sub` of the user.
    var subject: String
    /// Wrong PINs since the last right one.
    var failures: Int?
    /// For the convenience mode; an exported profile has salt and digest instead.
    var pin: String?
    /// Hexadecimal
    var pinSalt: String?
    /// PBKDF2-HMAC-SHA256 in hexadecimal.
    var pinDigest: String?
    /// 2026-01-01 when left out.
    var createdAt: Date?
    var enrollment: EnrollmentFixture?
    var pendingEnrollment: PendingEnrollmentFixture?

    enum CodingKeys: String, CodingKey {
        case id = "profile_id"
        case subject = "sub"
        case failures, pin
        case pinSalt = "pin_salt"
        case pinDigest = "pin_digest"
        case createdAt = "created_at"
        case enrollment
        case pendingEnrollment = "pending_enrollment"
    }
}

/// The enrollment of a profile for mobile authentication.
struct EnrollmentFixture: Codable, Sendable {
    /// The device's OpenPGP certificate, armored, line by line.
    var certificate: [String]
    var pushToken: String?
    /// The server's keys of this enrollment; the shared ones when left out.
    var serverKey: ServerKeyFixture?
    /// 2026-01-01 when left out.
    var enrolledAt: Date?

    enum CodingKeys: String, CodingKey {
        case certificate
        case pushToken = "push_token"
        case serverKey = "server_key"
        case enrolledAt = "enrolled_at"
    }
}

/// An enrollment that was begun.
struct PendingEnrollmentFixture: Codable, Sendable {
    /// UUID
    var id: String
    /// Armored, line by line; nil as long as the device sent none.
    var certificate: [String]?
    var serverKey: ServerKeyFixture?
    var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case id, certificate
        case serverKey = "server_key"
        case expiresAt = "expires_at"
    }
}

/// What a removed device, profile or enrollment left behind.
struct TombstoneFixture: Codable, Sendable {
    var kind: Tombstone.Kind
    var clientID: String
    var profileID: String?
    /// A sentence.
    var reason: String
    var removedAt: Date

    enum CodingKeys: String, CodingKey {
        case kind
        case clientID = "client_id"
        case profileID = "profile_id"
        case reason
        case removedAt = "removed_at"
    }
}
