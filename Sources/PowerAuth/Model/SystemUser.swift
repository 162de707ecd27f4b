import Essentials
import SQLite

/// An account of a back end or of an administrator: who may call the Cloud API.
struct SystemUser: Sendable, Equatable, RowDecodable {
    enum Role: String, Codable, Sendable, CaseIterable {
        /// Everything below `/admin`.
        case admin = "ROLE_ADMIN"
        /// Everything else, for the applications that are assigned to the account.
        case user = "ROLE_USER"
    }

    let name: String
    let password: String
    var roles: [Role]
    /// Ids, without duplicates.
    var applications: [String]
    var isEnabled: Bool

    init(name: String, password: String, roles: [Role], applications: [String] = [], isEnabled: Bool = true) {
        (self.name, self.password, self.roles) = (name, password, roles)
        (self.applications, self.isEnabled) = (applications, isEnabled)
    }

    init(row: Row) throws {
        self.init(
            name: try row.text("name"), password: try row.text("password"),
            roles: try row.strings("roles").compactMap(Role.init(rawValue:)),
            applications: try row.strings("applications"), isEnabled: try row.boolean("is_enabled"))
    }
}
