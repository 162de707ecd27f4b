import SQLite

/// Something that happened to a web session, for those who watch it on a WebSocket.
struct Signal: Sendable, Equatable {
    /// The words are those of the frames.
    enum Kind: String, Sendable, CaseIterable {
        case login = "LOGIN"
        case logout = "LOGOUT"
        case canProvoke = "CANPROVOKE"
        case confirmScan = "CONFIRMSCAN"
        case confirmProvoke = "CONFIRMPROVOKE"
        case cancel = "CANCEL"
        case noAccounts = "NOACCOUNTS"
    }

    /// Grows by one with every signal of the world.
    let number: Int
    let server: String
    let hsid: String
    let kind: Kind
}

extension Signal: RowDecodable {
    init(row: Row) throws {
        self.init(
            number: try row.integer("number"), server: try row.text("server"), hsid: try row.text("hsid"),
            kind: try row.word("kind"))
    }
}
