import Essentials
import SQLite

// What fixture files may leave out of the entries that are records of this server: lists and objects that are empty. The readers that
// the compiler makes for these types use the functions below in the place of those that demand a value.
extension KeyedDecodingContainer {
    func decode(_ type: [String].Type, forKey key: Key) throws -> [String] {
        try decodeIfPresent(type, forKey: key) ?? []
    }

    func decode<Value: Decodable>(_ type: [String: Value].Type, forKey key: Key) throws -> [String: Value] {
        try decodeIfPresent(type, forKey: key) ?? [:]
    }
}

extension KeyedDecodingContainer<AccessToken.CodingKeys> {
    /// A token that was not used.
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try decodeIfPresent(type, forKey: key) ?? 0
    }
}

// The same for the readers of rows that are written by hand.
extension Row {
    /// A list that is mostly empty.
    func names(_ column: String) throws -> [String] {
        let text = try text(column)
        return text == "[]" ? [] : try JSONDecoder().decode([String].self, from: Data(text.utf8))
    }

    /// An object that is mostly empty.
    func members(_ column: String) throws -> [String: JSONValue] {
        let text = try text(column)
        return text == "{}" ? [:] : try JSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))
    }

    func json(_ column: String) throws -> JSONValue? {
        try optionalText(column).map { try JSONValue(parsing: Array($0.utf8)) }
    }

    /// From the column `ended`.
    func end() throws -> TokenEnd? {
        try optionalText("ended").map { try JSONDecoder().decode(TokenEnd.self, from: Data($0.utf8)) }
    }
}
