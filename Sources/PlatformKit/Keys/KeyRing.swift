package import JOSE

/// The signing keys of a platform in one world, as the fixtures brought them.
package struct KeyRing: Sendable {
    /// The key that signs now, for a platform and an algorithm such as `.rs256`.
    package var signing: @Sendable (_ platform: String, _ algorithm: JWSAlgorithm) throws -> SigningKey
    /// Every key of a platform, as its JWKS publishes them: those that sign, those that did, those that will.
    package var published: @Sendable (_ platform: String) throws -> [SigningKey]
    /// Lets the next key sign, and publishes a new one to follow it; of those that signed, the last one stays. Without an algorithm
    /// for all that the platform has keys of. What was derived from the keys is forgotten: every ``Memo`` name of the platform.
    ///
    /// - Parameter algorithm: by its name, such as `RS256`.
    /// - Throws: ``KeyMissing`` for an algorithm that the platform has no key of.
    package var rotate: @Sendable (_ platform: String, _ algorithm: String?) throws -> [KeyRotation]
}

/// The keys of one algorithm after a rotation, by their ids.
package struct KeyRotation: Sendable, Equatable {
    package let algorithm: String
    /// Nil when none signed before.
    package let previous: String?
    package let current: String
    package let next: String
}
