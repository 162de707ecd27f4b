import Crypto
import Essentials

/// Reads a file of `Tests/Vectors` that is a list.
func vectors<Vector: Decodable>(_: Vector.Type, _ name: String) -> [Vector] {
    file([Vector].self, name)
}

/// Reads a file of `Tests/Vectors` that is one object.
func vector<Vector: Decodable>(_: Vector.Type, _ name: String) -> Vector {
    file(Vector.self, name)
}

/// Reads a file of `Tests/Vectors` that is an object around the list `testVectors`.
func testVectors<Vector: Decodable>(_: Vector.Type, _ name: String) -> [Vector] {
    file(TestVectors<Vector>.self, name).testVectors
}

private struct TestVectors<Vector: Decodable>: Decodable {
    let testVectors: [Vector]
}

private func file<Content: Decodable>(_: Content.Type, _ name: String) -> Content {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors").appending(path: name)
    guard let data = try? Data(contentsOf: file),
        let content = try? JSONDecoder().decode(Content.self, from: data)
    else { preconditionFailure("no vectors in \(name)") }
    return content
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
