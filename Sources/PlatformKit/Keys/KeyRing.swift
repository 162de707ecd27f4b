package import JOSE

/// The signing keys of the platforms in one world, as the fixtures brought them.
///
/// A platform that has tenants names one: it signs with the tenant's keys, and with the platform's where the tenant has none of the
/// algorithm.
package struct KeyRing: Sendable {
    let signingKey: @Sendable (KeyOwner, JWSAlgorithm) throws -> SigningKey
    let publishedKeys: @Sendable (KeyOwner) throws -> [SigningKey]
    let rotateKeys: @Sendable (KeyOwner, String?) throws -> [KeyRotation]

    /// The key that signs now, for a platform and an algorithm such as `.rs256`.
    ///
    /// - Throws: ``KeyMissing``.
    package func signing(_ platform: String, tenant: String? = nil, _ algorithm: JWSAlgorithm) throws
        -> SigningKey
    {
        try signingKey(KeyOwner(platform: platform, tenant: tenant), algorithm)
    }

    /// Every key of a platform, as its JWKS publishes them: those that sign, those that did, those that will.
    package func published(_ platform: String, tenant: String? = nil) throws -> [SigningKey] {
        try publishedKeys(KeyOwner(platform: platform, tenant: tenant))
    }

    /// Lets the next key sign, and publishes a new one to follow it; of those that signed, the last one stays. Without an algorithm
    /// for all that the platform has keys of. What was derived from the keys is forgotten: every ``Memo`` name of the platform.
    ///
    /// - Parameters:
    ///   - tenant: one with keys of its own; nil for the platform's.
    ///   - algorithm: by its name, such as `RS256`.
    /// - Throws: ``KeyMissing`` for an algorithm that the platform, or the tenant itself, has no key of.
    package func rotate(_ platform: String, tenant: String? = nil, _ algorithm: String?) throws
        -> [KeyRotation]
    {
        try rotateKeys(KeyOwner(platform: platform, tenant: tenant), algorithm)
    }
}

/// The keys of one algorithm after a rotation, by their ids.
package struct KeyRotation: Sendable, Equatable {
    package let algorithm: String
    /// Nil when none signed before.
    package let previous: String?
    package let current: String
    package let next: String
}
