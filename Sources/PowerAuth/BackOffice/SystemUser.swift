import Essentials
import SQLite

/// An account of a back end or of an administrator: who may call the Cloud API.
struct SystemUser: Record, Equatable {
    static let table = Table("powerauth_user", key: "username")

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
    var applications: [String] = []
    var isEnabled = true

    enum CodingKeys: String, CodingKey {
        case password, roles, applications
        case name = "username"
        case isEnabled = "is_enabled"
    }
}

extension SystemUser {
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        name = try fields.decode(String.self, forKey: .name)
        password = try fields.decode(String.self, forKey: .password)
        roles = try fields.decodeIfPresent([Role].self, forKey: .roles) ?? [.user]
        applications = try fields.decodeIfPresent([String].self, forKey: .applications) ?? []
        isEnabled = try fields.decodeIfPresent(Bool.self, forKey: .isEnabled) ?? true
    }

    /// Without waiting for the database where the user is known already: every call of a back end asks.
    static func find(_ name: String, in database: Database) throws -> SystemUser? {
        try database.read(keeping: "powerauth_system_user \(name)") { db in try find(name, in: db) }
    }

    static func find(_ name: String, in db: Connection) throws -> SystemUser? {
        try db.first(SystemUser.self, where: "username = \(name)")
    }
}
