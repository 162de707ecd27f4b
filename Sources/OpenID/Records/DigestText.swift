import Crypto
package import SQLite

/// A SHA-256 hash: a BLOB as a column, 43 characters of base64url as JSON.
package struct DigestText: Codable, Sendable, Equatable, ColumnValue {
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

    package static var expectedType: String { [UInt8].expectedType }
    package var sqlValue: SQLValue { bytes.sqlValue }

    package init?(column: Column) {
        guard let bytes = [UInt8](column: column) else { return nil }
        self.init(bytes)
    }
}
