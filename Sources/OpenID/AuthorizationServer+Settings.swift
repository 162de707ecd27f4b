import Essentials
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// Which of a user's claims `client` hears: the platform's, with what the fixtures say of the server and of the client.
    func claimMapping(for client: Client?, in db: Connection) throws -> ClaimMapping {
        let common = try services.memo.value("\(profile.name).openid.claims") {
            let settings = try ServerSettings.setting(of: profile.name).value(in: db)
            return profile.claims.overlaid(with: settings?.claimsByScope)
        }
        return common.overlaid(with: client?.metadata.claimsByScope)
    }
}

extension AuthorizationServer {
    /// What the fixtures decided.
    package func settings() throws -> ServerSettings {
        try services.memo.value("\(profile.name).openid.settings") {
            try database.read { try ServerSettings.setting(of: profile.name).value(in: $0) }
                ?? ServerSettings()
        }
    }

    /// The same inside of a transaction.
    func settings(in db: Connection) throws -> ServerSettings {
        try services.memo.value("\(profile.name).openid.settings") {
            try ServerSettings.setting(of: profile.name).value(in: db) ?? ServerSettings()
        }
    }
}
