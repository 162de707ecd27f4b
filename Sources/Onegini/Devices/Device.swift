import Essentials
import PlatformKit
import SQLite

/// One installation of a mobile application: a dynamic client, whose id is also the device id.
struct Device: Traced, Equatable {
    static let table = Table("onegini_device", key: "client_id")
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_device (
            client_id TEXT NOT NULL PRIMARY KEY,
            application TEXT NOT NULL,
            platform TEXT NOT NULL,
            version TEXT NOT NULL,
            name TEXT NOT NULL,
            model TEXT,
            os_version TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            last_login_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    /// 64 upper-case hex digits.
    let clientID: String
    let application: String
    let platform: ApplicationVersion.Platform
    var version: String
    /// Made of platform and id when left out.
    let name: String
    let model: String?
    var osVersion: String?
    /// 2026-01-01 when left out.
    let createdAt: Date
    var lastLoginAt: Date?

    enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case application, platform, version, name, model
        case osVersion = "os_version"
        case createdAt = "created_at"
        case lastLoginAt = "last_login_at"
    }

    init(
        clientID: String, application: String, platform: ApplicationVersion.Platform, version: String,
        name: String?, model: String?, osVersion: String?, createdAt: Date
    ) {
        (self.clientID, self.application, self.platform) = (clientID, application, platform)
        (self.version, self.model) = (version, model)
        self.name = name ?? "\(platform.rawValue)-\(clientID.prefix(8))"
        (self.osVersion, self.createdAt) = (osVersion, createdAt)
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            clientID: try values.decode(String.self, forKey: .clientID),
            application: try values.decode(String.self, forKey: .application),
            platform: try values.decode(ApplicationVersion.Platform.self, forKey: .platform),
            version: try values.decode(String.self, forKey: .version),
            name: try values.decodeIfPresent(String.self, forKey: .name),
            model: try values.decodeIfPresent(String.self, forKey: .model),
            osVersion: try values.decodeIfPresent(String.self, forKey: .osVersion),
            createdAt: try values.decodeIfPresent(Date.self, forKey: .createdAt) ?? .ofFixtures)
        lastLoginAt = try values.decodeIfPresent(Date.self, forKey: .lastLoginAt)
    }
}

extension Device {
    var subjects: [Subject] { [Subject(.registration, clientID)] }
}

extension Connection {
    func device(_ clientID: String) throws -> Device? {
        try first(Device.self, where: "client_id = \(clientID)")
    }

    /// Devices on which the user has a profile, oldest first.
    func devices(of subject: String) throws -> [Device] {
        try all(
            Device.self,
            where: "client_id IN (SELECT client_id FROM onegini_profile WHERE sub = \(subject))",
            order: "created_at, rowid")
    }
}
