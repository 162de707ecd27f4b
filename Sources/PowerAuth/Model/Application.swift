import Essentials
import SQLite

/// An application: what owns a master key pair, and one or more versions with a key and a secret each.
struct Application: Sendable, Equatable, RowDecodable {
    let id: String
    /// Told in every verification result, in this order.
    var roles: [String]
    /// Master private key, PEM (PKCS #8), P-256.
    let masterKey: String
    /// Whether activations bring a recovery code.
    var offersRecovery: Bool
    /// OpenID Connect providers by which an activation may be made.
    var providers: OpenIDProviders

    init(
        id: String, roles: [String], masterKey: String, offersRecovery: Bool = false,
        providers: OpenIDProviders = OpenIDProviders()
    ) {
        (self.id, self.roles, self.masterKey) = (id, roles, masterKey)
        (self.offersRecovery, self.providers) = (offersRecovery, providers)
    }

    init(row: Row) throws {
        self.init(
            id: try row.text("id"), roles: try row.strings("roles"), masterKey: try row.text("master_key"),
            offersRecovery: try row.boolean("offers_recovery"),
            providers: OpenIDProviders(json: try row.text("providers")))
    }
}
