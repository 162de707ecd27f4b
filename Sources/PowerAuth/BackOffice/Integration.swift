import SQLite

/// Credentials of a back end that calls the management API.
struct Integration: Sendable, Equatable, RowDecodable {
    let id: String
    let name: String
    let clientToken: String
    let clientSecret: String

    init(id: String, name: String, clientToken: String, clientSecret: String) {
        (self.id, self.name) = (id, name)
        (self.clientToken, self.clientSecret) = (clientToken, clientSecret)
    }

    init(row: Row) throws {
        self.init(
            id: try row.text("id"), name: try row.text("name"), clientToken: try row.text("client_token"),
            clientSecret: try row.text("client_secret"))
    }
}
