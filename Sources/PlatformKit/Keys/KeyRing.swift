package import JOSE

/// The signing keys of a platform in one world, as the fixtures brought them.
package struct KeyRing: Sendable {
    /// The key that signs now, for a platform and an algorithm such as `.rs256`.
    package var signing: @Sendable (_ platform: String, _ algorithm: JWSAlgorithm) throws -> SigningKey
    /// Every key of a platform, the newest first, as its JWKS publishes them.
    package var published: @Sendable (_ platform: String) throws -> [SigningKey]
}
