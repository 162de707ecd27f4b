import Crypto
package import Essentials
import PlatformKit

/// An encrypted request, as it stands in the body.
package struct EnvelopeRequest: Sendable, Equatable {
    /// A point of 33 or 65 bytes, as transmitted.
    package let ephemeralKey: [UInt8]
    package let ciphertext: [UInt8]
    /// 32 bytes
    package let mac: [UInt8]
    package let freshness: EnvelopeFreshness
    package let temporaryKeyID: String?
    package let version: ProtocolVersion

    /// Reads the members that the version has; what it does not know at all is ignored.
    ///
    /// - Throws: ``ProtocolFault`` for one that is missing, malformed, or of another version.
    package init(_ json: JSONValue, _ version: ProtocolVersion) throws {
        let reader = EnvelopeReader(json: json, version: version)
        self.version = version
        ephemeralKey = try reader.bytes("ephemeralPublicKey")
        ciphertext = try reader.bytes("encryptedData")
        mac = try reader.bytes("mac", count: 32)
        freshness = try EnvelopeFreshness(
            nonce: reader.optional("nonce", .nonce) { try Nonce($0.bytes("nonce", count: Nonce.count)) },
            timestamp: reader.optional("timestamp", .timestamp) { try $0.milliseconds("timestamp") })
        temporaryKeyID = try reader.optional("temporaryKeyId", .temporaryKeyID) {
            try $0.text("temporaryKeyId")
        }
    }

    /// The same for two copies of one request, and for no others: Base64url of 43 characters.
    package func replayIdentifier(activationID: String?) -> String {
        let parts = sized(ephemeralKey, freshness.nonce?.bytes, activationID.map { Array($0.utf8) })
        return Base64URL.encode(Digest.sha256(parts))
    }
}

/// What sets one encrypted message apart from all others.
package struct EnvelopeFreshness: Sendable, Equatable {
    package let nonce: Nonce?
    /// Milliseconds since 1970.
    package let timestamp: Int?

    package init(nonce: Nonce? = nil, timestamp: Int? = nil) {
        self.nonce = nonce
        self.timestamp = timestamp
    }
}

/// Members that only some versions have in their encrypted messages.
package struct EnvelopeMembers: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let nonce = EnvelopeMembers(rawValue: 1)
    package static let timestamp = EnvelopeMembers(rawValue: 2)
    package static let temporaryKeyID = EnvelopeMembers(rawValue: 4)
}
