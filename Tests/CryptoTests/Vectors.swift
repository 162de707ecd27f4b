import Crypto
import Essentials

/// Reads a file of `Tests/Vectors`.
func vectors<Vector: Decodable>(_: Vector.Type, _ name: String) -> [Vector] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors").appending(path: name)
    guard let data = try? Data(contentsOf: file),
        let list = try? JSONDecoder().decode([Vector].self, from: data)
    else { preconditionFailure("no vectors in \(name)") }
    return list
}

/// Bytes that stand as hexadecimal digits in a vector.
struct HexBytes: Decodable, Sendable {
    let bytes: [UInt8]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Hex.decode(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not hexadecimal")
        }
        self.bytes = bytes
    }
}
