/// What several duties have to say of the platform.
enum Vendor {
    static let name = "passkeyapi"
    /// Kinds of tokens.
    static let login = "login"
    static let transaction = "transaction"
}
