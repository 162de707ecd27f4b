import PlatformKit
import SQLite

/// The row of a mobile application.
struct KeptApplication: Record {
    static let table = Table("onegini_application", key: "identifier")
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_application (
            position INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE,
            settings TEXT NOT NULL -- JSON
        ) STRICT
        """
    ]

    let identifier: String
    let settings: ApplicationSettings

    enum CodingKeys: CodingKey {
        case identifier, settings
    }

    init(_ application: ApplicationSettings) {
        (identifier, settings) = (application.identifier, application)
    }
}

extension Connection {
    func application(_ identifier: String) throws -> ApplicationSettings? {
        try first(KeptApplication.self, where: "identifier = \(identifier)")?.settings
    }

    /// What runs on a device. Fixtures refuse a device without its application, and nothing removes one.
    func application(of device: Device) throws -> ApplicationSettings {
        try application(device.application) ?? ApplicationSettings(identifier: device.application)
    }

    /// In the order in which they came.
    func applications() throws -> [ApplicationSettings] { try all(KeptApplication.self).map(\.settings) }
}
