package import Crypto

/// A key of the server that lives for some minutes; requests of protocol 3.3 are encrypted to it.
package struct TemporaryKey: Sendable, Equatable {
    package let id: String
    package let publicKey: PublicKey
    /// Milliseconds since 1970, by the server's clock.
    package let expires: Int

    package init(id: String, publicKey: PublicKey, expires: Int) {
        self.id = id
        self.publicKey = publicKey
        self.expires = expires
    }

    /// A device lets go of a key ten seconds before it expires.
    func isUsable(at milliseconds: Int) -> Bool { milliseconds < expires - 10_000 }
}
