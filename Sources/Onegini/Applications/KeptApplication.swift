package import PlatformKit
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

extension Onegini {
    /// One for each version of an application that devices may register with. By the names of the vendor's configuration of apps;
    /// `signature` is what its tools compute from the binary, and `scope` what the application may ask for.
    package func appConfigurations() throws -> [AppConfiguration] {
        try database.read { try $0.applications() }.flatMap { application in
            application.versions.filter { $0.status == .full }.map { version in
                AppConfiguration(
                    application: application.identifier, mount: "oauth",
                    values: [
                        "appIdentifier": application.identifier,
                        "appPlatform": version.platform.rawValue, "appVersion": version.name,
                        "signature": version.signatures.first ?? "", "scope": application.scope,
                        "minimumOSVersion": version.minimumOSVersion ?? "",
                    ])
            }
        }
    }
}
