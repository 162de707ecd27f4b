package import Crypto

/// The keys of one encrypted exchange, for request and response.
package struct EnvelopeKeys: Sendable, Equatable {
    package let encryption: SecretKey
    package let authentication: SecretKey
    package let iv: SecretKey

    /// - Parameter bytes: the envelope key, 48 bytes.
    package init(_ bytes: [UInt8]) throws {
        guard bytes.count == 48 else {
            throw ProtocolFault.malformed(
                part: "envelope key", expected: "48 bytes", got: "\(bytes.count) bytes")
        }
        encryption = try SecretKey(Array(bytes[..<16]))
        authentication = try SecretKey(Array(bytes[16..<32]))
        iv = try SecretKey(Array(bytes[32...]))
    }

    /// Agrees with the sender of a message.
    ///
    /// - Parameters:
    ///   - ephemeralKey: the point as transmitted, 33 or 65 bytes; it enters the derivation in that form.
    ///   - privateKey: the master key, the activation's server key, or a temporary key, as version and scope demand.
    /// - Throws: ``ProtocolFault`` when the point is not on the curve.
    package init(
        ephemeralKey: [UInt8], privateKey: SecretScalar, purpose: EnvelopePurpose, version: ProtocolVersion
    ) throws {
        let point = try CurvePoint(ephemeralKey, of: "ephemeralPublicKey")
        let info = version.mobileProtocol.envelopeInfo(purpose, ephemeralKey: ephemeralKey)
        let secret = try privateKey.sharedSecret(with: point)
        try self.init(KeyDerivation.x963(.sha256, secret: secret, info: info, count: 48))
    }
}
