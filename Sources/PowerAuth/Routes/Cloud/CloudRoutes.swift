import PlatformKit
import SQLite

extension PowerAuth {
    static let backOfficeMigrations: [SQL] =
        SettingsStore.migrations + SystemUserStore.migrations + ConfigurationStore.migrations

    /// PowerAuth Cloud, below `/powerauth-cloud`.
    static let cloudRoutes: [Route<PowerAuth>] =
        registrationRoutes + verificationRoutes + administrationRoutes
        + cloudOperationRoutes

    static let registrationRoutes: [Route<PowerAuth>] = []
    static let verificationRoutes: [Route<PowerAuth>] = []
    static let administrationRoutes: [Route<PowerAuth>] = []
    static let cloudOperationRoutes: [Route<PowerAuth>] = []
}
