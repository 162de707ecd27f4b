import Crypto
import Essentials

/// Reads a file of `Tests/Vectors/postquantum`.
func vectors<Vector: Decodable>(_: Vector.Type, _ name: String) -> [Vector] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors/postquantum").appending(path: name)
    guard let data = try? Data(contentsOf: file),
        let content = try? JSONDecoder().decode([Vector].self, from: data)
    else { preconditionFailure("no vectors in \(name)") }
    return content
}

/// Bytes that stand as Base64 in a vector.
struct Base64Bytes: Decodable, Sendable {
    let bytes: [UInt8]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Base64.decode(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not Base64")
        }
        self.bytes = bytes
    }
}
