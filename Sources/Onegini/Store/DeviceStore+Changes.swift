import Essentials
import SQLite

extension DeviceStore {
    /// - Throws: `SQLiteError.isUniqueViolation` for a client that is a device already.
    func insert(_ device: Device, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO onegini_device (client_id, application, platform, version, name, model, os_version,
                created_at, last_login_at)
            VALUES (\(device.clientID), \(device.application), \(device.platform), \(device.version),
                \(device.name), \(device.model), \(device.osVersion), \(device.createdAt),
                \(device.lastLoginAt))
            """)
    }

    /// Replaces everything but the id and the time of making.
    func update(_ device: Device, in db: Connection) throws {
        try db.execute(
            """
            UPDATE onegini_device SET application = \(device.application), platform = \(device.platform),
                version = \(device.version), name = \(device.name), model = \(device.model),
                os_version = \(device.osVersion), last_login_at = \(device.lastLoginAt)
            WHERE client_id = \(device.clientID)
            """)
    }

    /// Takes the device away with its profiles and their enrollments. False when there was none.
    @discardableResult
    func removeDevice(_ clientID: String, in db: Connection) throws -> Bool {
        try db.execute("DELETE FROM onegini_device WHERE client_id = \(clientID)")
        return db.changes > 0
    }

    /// - Throws: `SQLiteError.isUniqueViolation` for a profile id that is taken on the device.
    func insert(_ profile: Profile, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO onegini_profile (client_id, profile_id, subject, failures, pin_salt, pin_digest,
                created_at)
            VALUES (\(profile.clientID), \(profile.id), \(profile.subject), \(profile.failures),
                \(profile.pinSalt), \(profile.pinDigest), \(profile.createdAt))
            """)
    }

    /// Replaces the count of failures and the verifier of the PIN.
    func update(_ profile: Profile, in db: Connection) throws {
        try db.execute(
            """
            UPDATE onegini_profile SET failures = \(profile.failures), pin_salt = \(profile.pinSalt),
                pin_digest = \(profile.pinDigest)
            WHERE client_id = \(profile.clientID) AND profile_id = \(profile.id)
            """)
    }

    /// Takes the profile away with its enrollment. False when there was none.
    @discardableResult
    func removeProfile(_ id: String, on clientID: String, in db: Connection) throws -> Bool {
        try db.execute(
            "DELETE FROM onegini_profile WHERE client_id = \(clientID) AND profile_id = \(id)")
        return db.changes > 0
    }

    /// Every device, in the order in which they came.
    func all(in db: Connection) throws -> [Device] {
        try db.all(Device.self, "SELECT * FROM onegini_device ORDER BY rowid")
    }

    /// Of every device, in the order in which they came.
    func profiles(in db: Connection) throws -> [Profile] {
        try db.all(Profile.self, "SELECT * FROM onegini_profile ORDER BY rowid")
    }
}
