package import Crypto

/// One encrypted exchange, seen from the server: a request that was opened, and the means to seal its response. ECIES with
/// AES-128-CBC and HMAC-SHA256.
package struct Envelope: Sendable {
    package let plaintext: [UInt8]
    package let request: EnvelopeRequest
    private let keys: EnvelopeKeys
    private let binding: EnvelopeBinding

    /// Opens a request that is sealed to `privateKey`.
    ///
    /// - Throws: ``ProtocolFault`` when the ephemeral key is no point, or the MAC or the padding is wrong.
    package static func open(
        _ request: EnvelopeRequest, privateKey: SecretScalar, purpose: EnvelopePurpose,
        binding: EnvelopeBinding
    ) throws -> Envelope {
        guard purpose.scope == binding.scope else {
            throw ProtocolFault.malformed(
                part: "scope of \(purpose.rawValue)", expected: purpose.scope.rawValue,
                got: binding.scope.rawValue)
        }
        let keys = try EnvelopeKeys(
            ephemeralKey: request.ephemeralKey, privateKey: privateKey, purpose: purpose,
            version: request.version)
        return try open(request, keys: keys, binding: binding)
    }

    /// The same with keys that are already there.
    package static func open(
        _ request: EnvelopeRequest, keys: EnvelopeKeys, binding: EnvelopeBinding
    ) throws -> Envelope {
        guard request.version == binding.version else {
            throw ProtocolFault.malformed(
                part: "version", expected: binding.version.rawValue, got: request.version.rawValue)
        }
        let rules = request.version.mobileProtocol
        let sharedInfo2 = rules.sharedInfo2(
            binding, temporaryKeyID: request.temporaryKeyID, freshness: request.freshness,
            ephemeralKey: request.ephemeralKey)
        // The MAC before anything is decrypted, so that no answer tells about the padding.
        let isAuthentic = Digest.sha256.isAuthenticationCode(
            request.mac, of: request.ciphertext + sharedInfo2, key: keys.authentication.bytes)
        guard isAuthentic else { throw ProtocolFault.wrong(part: "mac") }
        let iv = try rules.envelopeIV(keys, nonce: request.freshness.nonce)
        // What OpenSSL says of a wrong end is no clearer than the fault.
        guard
            let plaintext = try? AES.decryptCBC(request.ciphertext, key: keys.encryption.bytes, iv: iv)
        else {
            throw ProtocolFault.malformed(
                part: "encryptedData", expected: "whole blocks with padding", got: "something else")
        }
        return Envelope(plaintext: plaintext, request: request, keys: keys, binding: binding)
    }

    /// Seals the response.
    ///
    /// - Parameters:
    ///   - nonce: drawn only where the version wants one of the response's own; it must differ from the request's.
    ///   - milliseconds: now, since 1970; unused before 3.2.
    package func seal(
        _ plaintext: [UInt8], nonce: @autoclosure () throws -> Nonce, milliseconds: Int
    ) throws -> EnvelopeResponse {
        let rules = request.version.mobileProtocol
        let own = try rules.responseFreshness(
            to: request.freshness, nonce: nonce, milliseconds: milliseconds)
        let iv = try rules.envelopeIV(keys, nonce: own.nonce ?? request.freshness.nonce)
        let ciphertext = try AES.encryptCBC(plaintext, key: keys.encryption.bytes, iv: iv)
        let sharedInfo2 = rules.sharedInfo2(
            binding, temporaryKeyID: request.temporaryKeyID, freshness: own, ephemeralKey: nil)
        let mac = Digest.sha256.authenticationCode(
            of: ciphertext + sharedInfo2, key: keys.authentication.bytes)
        return EnvelopeResponse(ciphertext: ciphertext, mac: mac, freshness: own)
    }
}
