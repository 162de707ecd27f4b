/// Any JSON value, where no shape is known beforehand: claims, metadata of clients, parts of a request that are handed on.
///
/// The members of an object are written in the order of their names. Source: RFC 8259.
package enum JSONValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue {
    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var integer: Int? { if case .integer(let number) = self { number } else { nil } }
    package var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
    package var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    package var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
    package var isNull: Bool { self == .null }

    /// The member `name`; nil for a value that is no object or has none of that name.
    package subscript(_ name: String) -> JSONValue? { object?[name] }

    /// The elements of an array of strings; nil for any other value.
    package var strings: [String]? {
        guard let array else { return nil }
        let texts = array.compactMap(\.string)
        return texts.count == array.count ? texts : nil
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
    package init(_ texts: [String]) { self = .array(texts.map(JSONValue.string)) }
}
