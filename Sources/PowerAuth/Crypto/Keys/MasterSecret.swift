package import Crypto

/// What the server and one device share: the folded result of their key agreement.
package struct MasterSecret: Sendable, Equatable {
    package let key: SecretKey

    package init(_ key: SecretKey) {
        self.key = key
    }

    /// - Throws: ``CryptoError`` unless both keys are on one curve.
    package init(own: SecretScalar, peer: CurvePoint) throws {
        key = SecretKey(folding: try own.sharedSecret(with: peer))
    }
}
