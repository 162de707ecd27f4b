import Essentials

/// What happened to an activation once, in a fixture file.
struct HistoryFixture: Codable, Sendable {
    var activation: String
    var state: Activation.State
    var reason: String?
    var externalUser: String?
    var name: String?
    var at: Date

    enum CodingKeys: String, CodingKey {
        case activation, state, reason, name, at
        case externalUser = "external_user"
    }
}
