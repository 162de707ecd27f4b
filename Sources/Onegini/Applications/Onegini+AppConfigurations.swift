package import PlatformKit
import SQLite

extension Onegini: ConfiguresApps {
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
