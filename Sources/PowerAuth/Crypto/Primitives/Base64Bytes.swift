import Crypto
import Essentials
import SQLite

/// Bytes that are a BLOB in their column and Base64 in JSON.
struct Base64Bytes: Sendable, Equatable {
    var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
}

extension Base64Bytes: ColumnValue {
    package static var expectedType: String { [UInt8].expectedType }
    package var sqlValue: SQLValue { bytes.sqlValue }

    package init?(column: Column) {
        guard let bytes = [UInt8](column: column) else { return nil }
        self.bytes = bytes
    }
}

extension Base64Bytes: Codable {
    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let bytes = Base64.decode(text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "expected Base64, found “\(text.prefix(60))”"))
        }
        self.bytes = bytes
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Base64.encode(bytes))
    }
}
