import Essentials
import SQLite

/// What happened to an activation once.
struct HistoryEntry: Sendable, Equatable, RowDecodable {
    /// Grows with every entry of the world.
    let id: Int
    let activation: String
    let state: Activation.State
    /// Reason of a block, or what changed besides the state.
    let reason: String?
    /// Who of the back end did it.
    let externalUser: String?
    /// The activation's name then.
    let name: String?
    let at: Date

    init(
        id: Int, activation: String, state: Activation.State, reason: String?, externalUser: String?,
        name: String?, at: Date
    ) {
        (self.id, self.activation, self.state, self.reason) = (id, activation, state, reason)
        (self.externalUser, self.name, self.at) = (externalUser, name, at)
    }

    init(row: Row) throws {
        let activation = try row.text("activation")
        guard let state = Activation.State(rawValue: try row.text("state")) else {
            throw StoredValueUnknown(table: "powerauth_activation_history", id: activation)
        }
        self.init(
            id: try row.integer("id"), activation: activation, state: state,
            reason: try row.optionalText("reason"), externalUser: try row.optionalText("external_user"),
            name: try row.optionalText("name"), at: try row.date("at"))
    }
}
