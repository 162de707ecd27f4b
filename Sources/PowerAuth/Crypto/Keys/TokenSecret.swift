/// What a token's digests are made with: 16 bytes.
package struct TokenSecret: Sendable, Equatable {
    package let key: SecretKey

    /// - Parameter random: 16 bytes.
    package init(_ random: [UInt8]) throws {
        key = try SecretKey(random)
    }
}
