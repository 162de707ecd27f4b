import Essentials
import SQLite

extension Operation: RowDecodable {
    init(row: Row) throws {
        let id = try row.text("id")
        let types = try row.strings("types")
        guard let state = State(rawValue: try row.text("state")) else {
            throw StoredValueUnknown(table: "powerauth_operation", id: id)
        }
        self.init(
            id: id, user: try row.optionalText("user"), activation: try row.optionalText("activation"),
            applications: try row.strings("applications"), template: try row.text("template"),
            type: try row.text("type"), data: try row.text("data"),
            parameters: (try row.json("parameters").object ?? [:]).compactMapValues(\.string),
            additionalData: try row.json("additional_data").object ?? [:], state: state,
            stateReason: try row.optionalText("state_reason"),
            types: types.compactMap(SignatureType.init(rawValue:)), riskFlags: try row.text("risk_flags"),
            failures: try row.integer("failures"), maxFailures: try row.integer("max_failures"),
            proximitySeed: try row.optionalBlob("proximity_seed"), flag: try row.optionalText("flag"),
            externalID: try row.optionalText("external_id"), language: try row.text("language"),
            createdAt: try row.date("created_at"), expiresAt: try row.date("expires_at"),
            finalizedAt: try row.optionalDate("finalized_at"))
    }
}
