/// A system user in a fixture file.
struct SystemUserFixture: Codable, Sendable {
    var username: String
    var password: String
    /// `ROLE_USER` alone when left out.
    var roles: [SystemUser.Role]?
    /// Ids of the applications for which it may call.
    var applications: [String]?
    /// True when left out.
    var isEnabled: Bool?

    enum CodingKeys: String, CodingKey {
        case username, password, roles, applications
        case isEnabled = "is_enabled"
    }
}
