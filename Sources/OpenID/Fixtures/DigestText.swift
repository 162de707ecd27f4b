import Crypto

/// A SHA-256 hash as a fixture file has it: 43 characters of base64url.
package struct DigestText: Codable, Sendable, Equatable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Base64URL.decode(try container.decode(String.self)), bytes.count == 32 else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected a SHA-256 hash as 43 characters of base64url")
        }
        self.bytes = bytes
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Base64URL.encode(bytes))
    }
}
