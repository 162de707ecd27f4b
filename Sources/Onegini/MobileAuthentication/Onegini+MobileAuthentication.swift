import PlatformKit
import SQLite

extension Onegini {
    /// How mobile authentication is set up in this world.
    func mobileAuthentication() throws -> MobileAuthenticationSettings {
        try services.memo.value("onegini.mobile_authentication") {
            try database.read { try settings.mobileAuthentication(in: $0) }
        }
    }
}

extension SettingsStore {
    func mobileAuthentication(in db: Connection) throws -> MobileAuthenticationSettings {
        try value(MobileAuthenticationSettings.self, MobileAuthenticationSettings.name, in: db)
            ?? MobileAuthenticationSettings()
    }
}
