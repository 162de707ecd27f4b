import Crypto
import PlatformKit

/// What differs between the versions of the mobile protocol. Each version has a folder of its own; what versions share
/// stands in that of their major version.
package protocol MobileProtocol: Sendable {
    var version: ProtocolVersion { get }

    /// Of codes that are made online; those made offline are decimal in every version.
    var authenticationCodeFormat: AuthenticationCodeFormat { get }

    /// Members of an encrypted request beside `ephemeralPublicKey`, `encryptedData` and `mac`. They must be there, and the
    /// others must not.
    var requestMembers: EnvelopeMembers { get }

    /// The info of the derivation of an envelope's keys.
    ///
    /// - Parameter ephemeralKey: the point as transmitted, 33 or 65 bytes.
    func envelopeInfo(_ purpose: EnvelopePurpose, ephemeralKey: [UInt8]) -> [UInt8]

    /// The IV of one message, 16 bytes.
    func envelopeIV(_ keys: EnvelopeKeys, nonce: Nonce?) throws -> [UInt8]

    /// What the MAC of one message covers behind the ciphertext.
    ///
    /// - Parameter ephemeralKey: of a request; `nil` in a response.
    func sharedInfo2(
        _ binding: EnvelopeBinding, temporaryKeyID: String?, freshness: EnvelopeFreshness,
        ephemeralKey: [UInt8]?
    ) -> [UInt8]

    /// Nonce and time of the response to a request that was opened.
    ///
    /// - Parameters:
    ///   - nonce: asked for only where a response has its own.
    ///   - milliseconds: now, since 1970.
    func responseFreshness(
        to request: EnvelopeFreshness, nonce: () throws -> Nonce, milliseconds: Int
    ) throws -> EnvelopeFreshness

    /// `token_digest` before it becomes Base64, 32 bytes.
    ///
    /// - Parameter timestamp: the text of the header, decimal milliseconds.
    func tokenDigest(_ secret: TokenSecret, nonce: Nonce, timestamp: String) -> [UInt8]

    /// `encryptedStatusBlob` before it becomes Base64, 32 bytes.
    ///
    /// - Parameters:
    ///   - exchange: `nil` where the version has none.
    ///   - filler: 32 random bytes, of which those remain that have no meaning.
    func encryptedStatus(
        _ blob: StatusBlob, transport: SecretKey, exchange: StatusExchange?, filler: [UInt8]
    ) throws -> [UInt8]
}

extension MobileProtocol {
    /// Whether envelopes are sealed to a temporary key, not to the application's or the activation's.
    package var usesTemporaryKeys: Bool { requestMembers.contains(.temporaryKeyID) }

    /// Whether `digest` is the token's; takes the same time for every wrong one of the right length.
    package func isTokenDigest(
        _ digest: [UInt8], _ secret: TokenSecret, nonce: Nonce, timestamp: String
    ) -> Bool {
        constantTimeEqual(digest, tokenDigest(secret, nonce: nonce, timestamp: timestamp))
    }
}
