import Essentials

/// JSON in columns of text.
enum JSONText {
    static func strings(_ text: String) throws -> [String] {
        guard let strings = try JSONValue(parsing: Array(text.utf8)).strings else {
            throw DecodingError.typeMismatch(
                [String].self, .init(codingPath: [], debugDescription: "not an array of texts: \(text)"))
        }
        return strings
    }

    static func text(_ strings: [String]) -> String { JSONValue.array(strings.map(JSONValue.string)).text }
}
