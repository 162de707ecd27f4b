import Crypto
package import Essentials

/// What the client says about the ceremony. Source: Web Authentication Level 3 §5.8.1.
package struct ClientData: Sendable, Equatable {
    /// As it came; the hash is over these.
    package let bytes: [UInt8]
    package let type: String
    package let challenge: String
    package let origin: String
    package let crossOrigin: Bool
    package let topOrigin: String?
    /// What the standard has no longer. Source: Web Authentication Level 2 §5.8.1.
    package let tokenBinding: JSONValue?

    /// Other members are ignored: browsers add them, one of them at random and on purpose.
    ///
    /// - Throws: ``ClientDataError``
    package init(_ bytes: [UInt8]) throws(ClientDataError) {
        // UTF-8 decode: a byte order mark is no part of the text.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        let value: JSONValue
        do { value = try JSONValue(parsing: text) } catch { throw ClientDataError(got: "no JSON: \(error)") }
        guard let type = value["type"]?.string, let challenge = value["challenge"]?.string,
            let origin = value["origin"]?.string
        else {
            throw ClientDataError(got: String(decoding: bytes.prefix(200), as: UTF8.self).shortened)
        }
        self.bytes = bytes
        (self.type, self.challenge, self.origin) = (type, challenge, origin)
        crossOrigin = try Self.flag(value["crossOrigin"])
        topOrigin = try Self.text(value["topOrigin"])
        tokenBinding = value["tokenBinding"]
    }

    /// SHA-256, 32 bytes.
    package var hash: [UInt8] { Digest.sha256(bytes) }

    private static func flag(_ value: JSONValue?) throws(ClientDataError) -> Bool {
        guard let value, !value.isNull else { return false }
        guard let flag = value.boolean else {
            throw ClientDataError(got: "a crossOrigin that is not a boolean")
        }
        return flag
    }

    private static func text(_ value: JSONValue?) throws(ClientDataError) -> String? {
        guard let value, !value.isNull else { return nil }
        guard let text = value.string else { throw ClientDataError(got: "a topOrigin that is not a string") }
        return text
    }
}

/// What stands in the place of client data.
package struct ClientDataError: Error, Equatable {
    package let got: String
}
