import SQLite

/// The way to a provider, found out before the transaction because that may wait for the network.
struct ThirdPartyDoor: Sendable {
    /// Remembers the sign-in.
    ///
    /// - Returns: where to send the browser, and the `Set-Cookie` that binds the sign-in to it.
    let open: @Sendable (Connection) throws -> (url: String, cookie: String)
}
