import Crypto
import DeviceKit
package import Essentials

/// An encrypted body; which members it has depends on the version and the direction.
package struct SealedMessage: Sendable, Equatable {
    /// Bytes of the point, requests alone.
    package var ephemeralKey: [UInt8]?
    package var ciphertext: [UInt8]
    package var mac: [UInt8]
    package var nonce: [UInt8]?
    /// Milliseconds since 1970.
    package var timestamp: Int?
    package var temporaryKeyID: String?

    package init(
        ephemeralKey: [UInt8]? = nil, ciphertext: [UInt8], mac: [UInt8], nonce: [UInt8]? = nil,
        timestamp: Int? = nil, temporaryKeyID: String? = nil
    ) {
        self.ephemeralKey = ephemeralKey
        self.ciphertext = ciphertext
        self.mac = mac
        self.nonce = nonce
        self.timestamp = timestamp
        self.temporaryKeyID = temporaryKeyID
    }

    /// Reads a response.
    ///
    /// - Throws: ``DeviceError``.
    package init(response: JSONValue?) throws {
        guard let response, response.object != nil else {
            throw DeviceError("an encrypted response is not an object")
        }
        guard response["status"] == nil, response["responseObject"] == nil else {
            throw DeviceError("an encrypted response stands in an envelope")
        }
        ciphertext = try Wire.bytes(response["encryptedData"]?.string, "encryptedData")
        mac = try Wire.bytes(response["mac"]?.string, "mac", count: 32)
        if let value = response["nonce"], !value.isNull {
            nonce = try Wire.bytes(value.string, "nonce", count: 16)
        }
        if let value = response["timestamp"], !value.isNull {
            guard let milliseconds = value.integer else { throw DeviceError("“timestamp” is not a number") }
            timestamp = milliseconds
        }
    }

    /// The members that are there.
    package var json: JSONValue {
        var members: [String: JSONValue] = [
            "encryptedData": .string(Base64.encode(ciphertext)), "mac": .string(Base64.encode(mac)),
        ]
        members["ephemeralPublicKey"] = ephemeralKey.map { .string(Base64.encode($0)) }
        members["nonce"] = nonce.map { .string(Base64.encode($0)) }
        members["timestamp"] = timestamp.map(JSONValue.integer)
        members["temporaryKeyId"] = temporaryKeyID.map(JSONValue.string)
        return .object(members)
    }
}
