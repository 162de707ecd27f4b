import Crypto
import DeviceKit

/// One encrypted request and the response to it. Source: PowerAuth documentation, “End-To-End Encryption”.
struct Envelope {
    let keys: EnvelopeKeys
    let context: EnvelopeContext
    /// The public key as it is sent.
    let ephemeral: [UInt8]

    /// - Parameters:
    ///   - nonce: 16 bytes; not sent in protocol 3.0.
    ///   - timestamp: milliseconds; sent since protocol 3.2.
    func seal(_ plaintext: [UInt8], nonce: [UInt8], timestamp: Int) throws -> SealedMessage {
        let ciphertext = try AES.encryptCBC(plaintext, key: keys.encryption, iv: iv(nonce))
        let authenticated = context.authenticated(nonce: nonce, timestamp: timestamp, ephemeral: ephemeral)
        return SealedMessage(
            ephemeralKey: ephemeral, ciphertext: ciphertext, mac: mac(ciphertext + authenticated),
            nonce: context.version >= .v31 ? nonce : nil,
            timestamp: context.version >= .v32 ? timestamp : nil, temporaryKeyID: context.temporaryKeyID)
    }

    /// - Parameter requestNonce: that of the request; since 3.2 a response must bring another one.
    /// - Throws: ``DeviceError`` before anything is decrypted, when the members are not those of the version or the MAC is wrong.
    func open(_ response: SealedMessage, requestNonce: [UInt8]) throws -> [UInt8] {
        var nonce = requestNonce
        if context.version >= .v32 {
            guard let own = response.nonce, response.timestamp != nil else {
                throw DeviceError("a response of \(context.version.rawValue) has no nonce or no timestamp")
            }
            guard own != requestNonce else {
                throw DeviceError("the response repeats the nonce of the request")
            }
            nonce = own
        } else if response.nonce != nil || response.timestamp != nil {
            throw DeviceError("a response of \(context.version.rawValue) has a nonce or a timestamp")
        }
        let authenticated = context.authenticated(
            nonce: nonce, timestamp: response.timestamp ?? 0, ephemeral: [])
        guard constantTimeEqual(mac(response.ciphertext + authenticated), response.mac) else {
            throw DeviceError("the MAC of the response is wrong")
        }
        return try AES.decryptCBC(response.ciphertext, key: keys.encryption, iv: iv(nonce))
    }

    private func iv(_ nonce: [UInt8]) -> [UInt8] {
        context.version == .v30 ? KeyArithmetic.zeros(16) : KeyArithmetic.deriveInternal(keys.iv, nonce)
    }

    private func mac(_ bytes: [UInt8]) -> [UInt8] {
        Digest.sha256.authenticationCode(of: bytes, key: keys.authentication)
    }
}
