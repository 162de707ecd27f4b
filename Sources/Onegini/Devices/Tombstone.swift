import Essentials
import SQLite

/// What a removed device, profile or enrollment leaves behind for seven days, so that the device hears why it is refused.
struct Tombstone: Record, Equatable {
    static let table = Table("onegini_tombstone", key: "position", keptSeconds: 0)
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_tombstone (
            position INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            client_id TEXT NOT NULL,
            profile_id TEXT,
            reason TEXT NOT NULL,
            removed_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX onegini_tombstone_client ON onegini_tombstone (client_id, profile_id)",
        "CREATE INDEX onegini_tombstone_expiry ON onegini_tombstone (expires_at)",
    ]

    static let lifetimeSeconds = 604_800.0

    enum Kind: String, Sendable, CaseIterable, Codable {
        case device, profile
        /// An enrollment that was revoked on the server; told to the device once.
        case enrollment
    }

    let kind: Kind
    let clientID: String
    /// Nil for a device.
    let profileID: String?
    /// A sentence for the developer.
    let reason: String
    let removedAt: Date

    enum CodingKeys: String, CodingKey {
        case kind
        case clientID = "client_id"
        case profileID = "profile_id"
        case reason
        case removedAt = "removed_at"
    }

    var derivedColumns: [DerivedColumn] {
        [DerivedColumn("expires_at", removedAt + Self.lifetimeSeconds)]
    }
}

extension Connection {
    /// The newest that fits and is not older than seven days.
    func tombstone(
        _ kind: Tombstone.Kind, of clientID: String, profile: String? = nil, at now: Date
    ) throws -> Tombstone? {
        try first(
            Tombstone.self, where: "\(fragment: Self.are(kind, clientID, profile)) AND expires_at > \(now)",
            order: "position DESC")
    }

    /// Those of a kind are forgotten, since what they remember has been told or is there again.
    ///
    /// - Returns: whether there were any that were not too old.
    @discardableResult
    func forget(
        _ kind: Tombstone.Kind, of clientID: String, profile: String, at now: Date
    ) throws -> Bool {
        let isKept = try tombstone(kind, of: clientID, profile: profile, at: now) != nil
        try delete(Tombstone.self, where: Self.are(kind, clientID, profile))
        return isKept
    }

    private static func are(_ kind: Tombstone.Kind, _ clientID: String, _ profile: String?) -> SQL {
        "kind = \(kind.rawValue) AND client_id = \(clientID) AND profile_id IS \(profile)"
    }
}

/// A profile that was dropped on the server and of which its device was not told yet.
struct RemovedProfile: Record {
    static let table = Table("onegini_removed_profile", key: "client_id", "profile_id")
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_removed_profile (
            client_id TEXT NOT NULL REFERENCES onegini_device (client_id) ON DELETE CASCADE,
            profile_id TEXT NOT NULL,
            PRIMARY KEY (client_id, profile_id)
        ) STRICT
        """
    ]

    let clientID: String
    let id: String

    enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case id = "profile_id"
    }
}

extension Connection {
    /// Oldest first.
    func removedProfiles(on clientID: String) throws -> [RemovedProfile] {
        try all(RemovedProfile.self, where: "client_id = \(clientID)")
    }
}
