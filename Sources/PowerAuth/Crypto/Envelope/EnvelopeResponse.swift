import Crypto
package import Essentials

/// An encrypted response, as it stands in the body.
package struct EnvelopeResponse: Sendable, Equatable {
    package let ciphertext: [UInt8]
    /// 32 bytes
    package let mac: [UInt8]
    /// What is written; from 3.2 on.
    package let freshness: EnvelopeFreshness

    /// JSON text in UTF-8: the whole body.
    package var bytes: [UInt8] {
        var writer = JSONObjectWriter()
        writer.add("encryptedData", .string(Base64.encode(ciphertext)))
        writer.add("mac", .string(Base64.encode(mac)))
        writer.add("nonce", freshness.nonce.map { .string($0.base64) })
        writer.add("timestamp", freshness.timestamp.map(JSONValue.integer))
        return writer.bytes
    }

    /// The same as a value, where it stands inside of another object.
    package var json: JSONValue {
        var members: [String: JSONValue] = [
            "encryptedData": .string(Base64.encode(ciphertext)), "mac": .string(Base64.encode(mac)),
        ]
        members["nonce"] = freshness.nonce.map { .string($0.base64) }
        members["timestamp"] = freshness.timestamp.map(JSONValue.integer)
        return .object(members)
    }
}
