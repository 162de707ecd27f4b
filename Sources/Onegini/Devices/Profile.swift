import Crypto
import Essentials
import OpenID
import PlatformKit
import SQLite

/// A user registered on a device.
struct Profile: Record, Equatable {
    static let table = Table("onegini_profile", key: "client_id", "profile_id")
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_profile (
            client_id TEXT NOT NULL REFERENCES onegini_device (client_id) ON DELETE CASCADE,
            profile_id TEXT NOT NULL,
            sub TEXT NOT NULL,
            failures INTEGER NOT NULL,
            pin_salt TEXT, -- hexadecimal
            pin_digest TEXT, -- PBKDF2-HMAC-SHA256 in hexadecimal
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            PRIMARY KEY (client_id, profile_id)
        ) STRICT
        """
    ]

    /// Users of one device, at most.
    static let maxPerDevice = 100

    let clientID: String
    /// Six of `A-Z0-9`, unique on its device.
    let id: String
    /// `sub` of the user.
    let subject: String
    /// Wrong refresh tokens, and wrong PINs of the convenience mode, since the last right one.
    var failures: Int
    /// Of the convenience mode, in hexadecimal.
    var pinSalt: String?
    /// PBKDF2 of the PIN, in hexadecimal.
    var pinDigest: String?
    /// 2026-01-01 when left out.
    let createdAt: Date

    enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case id = "profile_id"
        case subject = "sub"
        case failures
        case pinSalt = "pin_salt"
        case pinDigest = "pin_digest"
        case createdAt = "created_at"
    }

    init(clientID: String, id: String, subject: String, createdAt: Date) {
        (self.clientID, self.id, self.subject) = (clientID, id, subject)
        (failures, self.createdAt) = (0, createdAt)
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        clientID = try values.decode(.clientID, inside: Place.clientID)
        id = try values.decode(String.self, forKey: .id)
        subject = try values.decode(String.self, forKey: .subject)
        failures = try values.decodeIfPresent(Int.self, forKey: .failures) ?? 0
        pinSalt = try values.decodeIfPresent(String.self, forKey: .pinSalt)
        pinDigest = try values.decodeIfPresent(String.self, forKey: .pinDigest)
        createdAt = try values.decodeIfPresent(Date.self, forKey: .createdAt) ?? .ofFixtures
    }
}

extension Connection {
    func profile(_ id: String, on clientID: String) throws -> Profile? {
        try first(Profile.self, where: "client_id = \(clientID) AND profile_id = \(id)")
    }

    /// In the order in which they were registered.
    func profiles(on clientID: String) throws -> [Profile] {
        try all(Profile.self, where: "client_id = \(clientID)", order: "created_at, rowid")
    }
}

// MARK: - Its id

extension Profile {
    /// Six of `A-Z` and `0-9`. Source: the device protocol.
    static func isWellFormed(_ id: String) -> Bool {
        id.utf8.count == 6 && id.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 }
    }

    /// An id made of chance, each as likely as the others.
    static func newID(_ entropy: Entropy) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        var id = ""
        while id.utf8.count < 6 {
            // 252 is the largest multiple of 36 that a byte holds.
            for byte in entropy.bytes(6, "onegini.profile_id") where byte < 252 && id.utf8.count < 6 {
                id.append(alphabet[Int(byte % 36)])
            }
        }
        return id
    }
}

// MARK: - The verifier of a PIN in the convenience mode

extension Profile {
    /// Source: the device protocol, as for the mask.
    static let pinIterations = 10_000

    mutating func setPIN(_ pin: String, salt: [UInt8]) throws {
        pinSalt = Hex.encode(salt)
        pinDigest = Hex.encode(try Self.digest(of: pin, salt: salt))
    }

    /// Nil when the profile has no PIN here.
    func hasPIN(_ pin: String) throws -> Bool? {
        guard let salt = pinSalt.flatMap(Hex.decode), let digest = pinDigest.flatMap(Hex.decode) else {
            return nil
        }
        return constantTimeEqual(try Self.digest(of: pin, salt: salt), digest)
    }

    private static func digest(of pin: String, salt: [UInt8]) throws -> [UInt8] {
        try KeyDerivation.pbkdf2(
            .sha256, password: Array(pin.utf8), salt: salt, iterations: pinIterations, count: 32)
    }
}

/// Where the entry of a fixture file stands that is being read: what stands inside of a device is on that device.
enum Place {
    @TaskLocal static var clientID: String?
    @TaskLocal static var profile: Profile?
}

extension KeyedDecodingContainer {
    /// A member of a row, or of an entry that stands by itself; inside of `place` it may be left out.
    func decode(_ key: Key, inside place: String?) throws -> String {
        if let place, !contains(key) { return place }
        return try decode(String.self, forKey: key)
    }
}
