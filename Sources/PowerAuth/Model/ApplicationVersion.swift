import SQLite

/// A version of an application: the key and the secret that one build of the app carries.
struct ApplicationVersion: Sendable, Equatable, RowDecodable {
    let application: String
    let name: String
    /// `appKey`: Base64 of 16 bytes, 24 characters. Unique.
    let key: String
    /// `appSecret`: Base64 of 16 bytes. The protocol uses it as text in some places, decoded in others.
    let secret: String
    var isSupported: Bool

    init(application: String, name: String, key: String, secret: String, isSupported: Bool = true) {
        (self.application, self.name, self.key, self.secret) = (application, name, key, secret)
        self.isSupported = isSupported
    }

    init(row: Row) throws {
        self.init(
            application: try row.text("application"), name: try row.text("name"), key: try row.text("key"),
            secret: try row.text("secret"), isSupported: try row.boolean("is_supported"))
    }
}
