import Essentials
import SQLite

/// Something that was done with an activation and that the audit log tells.
struct AuditRecord: Sendable, Equatable, RowDecodable {
    let activation: String
    let user: String
    let application: String
    /// Lower-case words, such as `signature_ok`.
    let type: String
    let data: JSONValue
    let at: Date

    init(activation: String, user: String, application: String, type: String, data: JSONValue, at: Date) {
        (self.activation, self.user, self.application) = (activation, user, application)
        (self.type, self.data, self.at) = (type, data, at)
    }

    init(row: Row) throws {
        self.init(
            activation: try row.text("activation"), user: try row.text("user"),
            application: try row.text("application"), type: try row.text("type"),
            data: try row.json("data"), at: try row.date("at"))
    }
}
