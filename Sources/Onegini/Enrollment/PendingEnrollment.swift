import Essentials
import PlatformKit
import SQLite

/// An enrollment that was begun and not acknowledged yet; a profile has one at most.
struct PendingEnrollment: Traced, Equatable {
    static let table = Table("onegini_pending_enrollment", key: "client_id", "profile_id")
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_pending_enrollment (
            id TEXT NOT NULL UNIQUE, -- UUID
            client_id TEXT NOT NULL,
            profile_id TEXT NOT NULL,
            certificate TEXT, -- JSON, once it was sent
            server_key TEXT, -- JSON
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            PRIMARY KEY (client_id, profile_id),
            FOREIGN KEY (client_id, profile_id)
                REFERENCES onegini_profile (client_id, profile_id) ON DELETE CASCADE
        ) STRICT
        """
    ]

    static let lifetimeSeconds = 120

    /// UUID
    let id: String
    let clientID: String
    let profileID: String
    /// As in ``Enrollment/certificate``; nil as long as the device sent none.
    var certificate: [String]?
    /// As in ``Enrollment/serverKey``.
    var serverKey: ServerKey?
    var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case id
        case clientID = "client_id"
        case profileID = "profile_id"
        case certificate
        case serverKey = "server_key"
        case expiresAt = "expires_at"
    }

    init(id: String, of profile: Profile, expiresAt: Date) {
        (self.id, self.expiresAt) = (id, expiresAt)
        (clientID, profileID) = (profile.clientID, profile.id)
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        clientID = try values.decode(.clientID, inside: Place.profile?.clientID)
        profileID = try values.decode(.profileID, inside: Place.profile?.id)
        certificate = try values.decodeIfPresent([String].self, forKey: .certificate)
        serverKey = try values.decodeIfPresent(ServerKey.self, forKey: .serverKey)
        expiresAt = try values.decode(Date.self, forKey: .expiresAt)
    }
}

extension PendingEnrollment {
    var subjects: [Subject] {
        [Subject(.flow, id, "Enrolment", "for mobile authentication"), Subject(.registration, clientID)]
    }
}

extension Connection {
    func removePendingEnrollment(of profile: Profile) throws {
        try delete(
            PendingEnrollment.self,
            where: "client_id = \(profile.clientID) AND profile_id = \(profile.id)")
    }
}
