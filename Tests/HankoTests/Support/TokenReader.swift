import Essentials
import HTTP
import Testing

@testable import Hanko

/// A JWT taken apart by hand, so that the tests do not read tokens with the code that wrote them.
struct TokenReader {
    struct Header: Decodable {
        let alg: String
        let kid: String
        let typ: String
    }

    let header: Header
    let claims: [String: JSONValue]

    init(_ token: String) throws {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        header = try JSONDecoder().decode(Header.self, from: Self.decoded(parts[0]))
        claims = try JSONDecoder().decode([String: JSONValue].self, from: Self.decoded(parts[1]))
    }

    private static func decoded(_ text: Substring) throws -> Data {
        var text = text.replacing("-", with: "+").replacing("_", with: "/")
        while text.utf8.count % 4 != 0 { text += "=" }
        return try #require(Data(base64Encoded: String(text)))
    }
}

/// Any JSON, for comparison.
enum JSONValue: Decodable, Equatable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .array(list)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    init(stringLiteral value: String) { self = .string(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { first, _ in first })
    }
    init(nilLiteral: ()) { self = .null }
}

extension Response {
    /// The body as JSON of any shape.
    func value() throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: Data(bytes)) }
}
