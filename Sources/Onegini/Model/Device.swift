import Essentials
import SQLite

/// One installation of a mobile application: a dynamic client, whose id is also the device id.
struct Device: Sendable, Equatable, RowDecodable {
    /// 64 upper-case hex digits.
    var clientID: String
    var application: String
    /// `ios` or `android`.
    var platform: String
    var version: String
    var name: String
    var model: String?
    var osVersion: String?
    var createdAt: Date
    var lastLoginAt: Date?

    init(
        clientID: String, application: String, platform: String, version: String, name: String,
        model: String?, osVersion: String?, createdAt: Date, lastLoginAt: Date? = nil
    ) {
        (self.clientID, self.application, self.platform) = (clientID, application, platform)
        (self.version, self.name, self.model) = (version, name, model)
        (self.osVersion, self.createdAt, self.lastLoginAt) = (osVersion, createdAt, lastLoginAt)
    }

    init(row: Row) throws {
        self.init(
            clientID: try row.text("client_id"), application: try row.text("application"),
            platform: try row.text("platform"), version: try row.text("version"), name: try row.text("name"),
            model: try row.optionalText("model"), osVersion: try row.optionalText("os_version"),
            createdAt: try row.date("created_at"), lastLoginAt: try row.optionalDate("last_login_at"))
    }
}
