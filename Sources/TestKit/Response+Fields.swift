import Essentials
package import HTTP

extension Response {
    /// The body as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The texts among the members of a JSON object; numbers, truth values and null as they are written.
    package var fields: [String: String] {
        // A body that is no JSON object has no fields, which is what the test then sees.
        ((try? JSONDecoder().decode([String: Scalar].self, from: Data(bytes))) ?? [:]).compactMapValues(
            \.text)
    }

    package func json<Value: Decodable>(_: Value.Type) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(bytes))
    }
}

/// A member of an object, shown as text; nil for an object or a list.
private struct Scalar: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            text = "null"
        } else if let flag = try? container.decode(Bool.self) {
            text = String(flag)
        } else if let number = try? container.decode(Int.self) {
            text = String(number)
        } else {
            // What fits none of the three is a text, or has none.
            text = try? container.decode(String.self)
        }
    }
}
