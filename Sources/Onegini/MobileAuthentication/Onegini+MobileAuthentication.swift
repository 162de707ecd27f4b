import PlatformKit
import SQLite

extension Onegini {
    /// How mobile authentication is set up in this world.
    func mobileAuthentication() throws -> MobileAuthenticationSettings {
        try services.memo.value("onegini.mobile_authentication") {
            try database.read { try MobileAuthenticationSettings.setting.value(in: $0) }
                ?? MobileAuthenticationSettings()
        }
    }
}
