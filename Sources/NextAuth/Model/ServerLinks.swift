import SQLite

/// What the HTML block of a server refers to, and who owns the server.
struct ServerLinks: Sendable, Equatable {
    var appAndroid: String?
    var appIOS: String?
    /// Takes the product's place in texts.
    var appName: String?
    /// Prefix that launches the app.
    var appURL: String?
    var siteURL: String?
    /// Nil for the WebSocket of this emulator.
    var webSocketURL: String?
    var owner: Int?
}

extension ServerLinks: RowDecodable {
    init(row: Row) throws {
        self.init(
            appAndroid: try row.optionalText("app_android"), appIOS: try row.optionalText("app_ios"),
            appName: try row.optionalText("app_name"), appURL: try row.optionalText("app_url"),
            siteURL: try row.optionalText("site_url"),
            webSocketURL: try row.optionalText("web_socket_url"), owner: try row.optionalInteger("owner"))
    }
}
