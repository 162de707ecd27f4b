import Essentials

/// JSON in columns of text.
enum JSONText {
    static func strings(_ text: String) throws -> [String] {
        try JSONDecoder().decode([String].self, from: Data(text.utf8))
    }

    static func text(_ strings: [String]) -> String { JSONValue.array(strings.map(JSONValue.string)).text }
}
