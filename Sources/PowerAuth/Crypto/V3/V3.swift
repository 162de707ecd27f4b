import Crypto

/// The versions of major version 3. What stands here is the rule of the latest of them; older ones say in their folders what they do
/// otherwise.
protocol V3: MobileProtocol {}

extension V3 {
    var authenticationCodeFormat: AuthenticationCodeFormat { .base64 }

    func envelopeInfo(_ purpose: EnvelopePurpose, ephemeralKey: [UInt8]) -> [UInt8] {
        Array(version.rawValue.utf8) + Array(purpose.rawValue.utf8) + ephemeralKey
    }

    func envelopeIV(_ keys: EnvelopeKeys, nonce: Nonce?) throws -> [UInt8] {
        guard let nonce else { throw ProtocolFault.missing(member: "nonce", version: version) }
        return keys.iv.derived(from: nonce.bytes).bytes
    }

    func sharedInfo2(
        _ binding: EnvelopeBinding, temporaryKeyID: String?, freshness: EnvelopeFreshness,
        ephemeralKey: [UInt8]?
    ) -> [UInt8] {
        // An activation and a temporary key that are not there leave no trace, unlike the parts below.
        let associated = [
            version.rawValue, binding.applicationKey.text, binding.activationID, temporaryKeyID,
        ]
        .compactMap { $0 }.flatMap { sized(Array($0.utf8)) }
        return sized(
            binding.base, freshness.nonce?.bytes, freshness.timestamp.map { bigEndian(Int64($0)) },
            ephemeralKey, associated)
    }

    func responseFreshness(
        to request: EnvelopeFreshness, nonce: () throws -> Nonce, milliseconds: Int
    ) throws -> EnvelopeFreshness {
        let nonce = try nonce()
        guard nonce != request.nonce else {
            throw ProtocolFault.malformed(
                part: "nonce of the response", expected: "another than the request's", got: "the same")
        }
        return EnvelopeFreshness(nonce: nonce, timestamp: milliseconds)
    }

    func tokenDigest(_ secret: TokenSecret, nonce: Nonce, timestamp: String) -> [UInt8] {
        TokenDigest.compute(secret, nonce, timestamp, version.rawValue)
    }

    func encryptedStatus(
        _ blob: StatusBlob, transport: SecretKey, exchange: StatusExchange?, filler: [UInt8]
    ) throws -> [UInt8] {
        guard let exchange else { throw ProtocolFault.missing(member: "challenge", version: version) }
        let hash = try transport.derived(4000).derived(from: blob.counterData.data)
        var bytes = try blob.bytes(over: filler)
        bytes[12] = UInt8(truncatingIfNeeded: blob.counter)
        bytes[15] = UInt8(clamping: blob.lookAhead)
        bytes.replaceSubrange(16..., with: hash.bytes)
        let iv = try StatusIV.compute(transport, exchange)
        return try AES.encryptCBC(bytes, key: transport.bytes, iv: iv, padding: false)
    }
}

/// The IV of a status that answers a challenge, 16 bytes.
package enum StatusIV {
    package static func compute(_ transport: SecretKey, _ exchange: StatusExchange) throws -> [UInt8] {
        try transport.derived(3000).derived(from: exchange.challenge.bytes + exchange.nonce.bytes).bytes
    }
}

/// The digest that shows possession of a token.
enum TokenDigest {
    /// - Parameter parts: decimal milliseconds and, in later versions, the version.
    static func compute(_ secret: TokenSecret, _ nonce: Nonce, _ parts: String...) -> [UInt8] {
        let text = parts.map { "&" + $0 }.joined()
        return Digest.sha256.authenticationCode(of: nonce.bytes + Array(text.utf8), key: secret.key.bytes)
    }
}

/// What 3.0 and 3.1 have in common: nothing is bound to the version, and the MAC of an envelope covers neither time nor nonce.
protocol BeforeV32: V3 {}

extension BeforeV32 {
    func envelopeInfo(_ purpose: EnvelopePurpose, ephemeralKey: [UInt8]) -> [UInt8] {
        Array(purpose.rawValue.utf8) + ephemeralKey
    }

    func sharedInfo2(
        _ binding: EnvelopeBinding, temporaryKeyID: String?, freshness: EnvelopeFreshness,
        ephemeralKey: [UInt8]?
    ) -> [UInt8] { binding.base }

    /// A response has none of its own: it uses the request's nonce again.
    func responseFreshness(
        to request: EnvelopeFreshness, nonce: () throws -> Nonce, milliseconds: Int
    ) throws -> EnvelopeFreshness { EnvelopeFreshness() }

    func tokenDigest(_ secret: TokenSecret, nonce: Nonce, timestamp: String) -> [UInt8] {
        TokenDigest.compute(secret, nonce, timestamp)
    }
}

/// Version 3.1: codes in Base64, a nonce in requests from which the IV follows, a status that answers a challenge.
struct V31: BeforeV32 {
    let version = ProtocolVersion.v31
    let requestMembers: EnvelopeMembers = .nonce
}

/// Version 3.2: time and associated data in envelopes, a nonce of the response's own, digests of tokens that cover the version.
struct V32: V3 {
    let version = ProtocolVersion.v32
    let requestMembers: EnvelopeMembers = [.nonce, .timestamp]
}

/// Version 3.3: envelopes are sealed to temporary keys.
struct V33: V3 {
    let version = ProtocolVersion.v33
    let requestMembers: EnvelopeMembers = [.nonce, .timestamp, .temporaryKeyID]
}
