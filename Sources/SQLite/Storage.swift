/// Where a database is kept. Used by one thread at a time, under its ``Gate``.
protocol Storage: AnyObject {
    /// Runs `body` with a connection that is in this database.
    func withConnection<Value>(_ body: (Connection) throws -> Value) throws -> Value
    /// The whole content.
    func image() throws -> DatabaseImage
    /// Replaces the whole content, whole or not at all.
    func restore(_ image: DatabaseImage) throws
}
