import Essentials
import SQLite

/// What a device shows of operations of one type, in one language.
struct MobileTemplate: Sendable, Equatable, RowDecodable {
    /// `placeholder`: the operation type.
    let type: String
    /// Primary subtag, lower case.
    let language: String
    var title: String
    var message: String
    var attributes: [AttributeTemplate]
    /// Replaces what the risk flags of the operation say.
    var ui: JSONValue?
    /// `success`, `failure`, `reject`.
    var resultTexts: JSONValue?

    init(
        type: String, language: String, title: String, message: String, attributes: [AttributeTemplate] = [],
        ui: JSONValue? = nil, resultTexts: JSONValue? = nil
    ) {
        (self.type, self.language, self.title, self.message) = (type, language, title, message)
        (self.attributes, self.ui, self.resultTexts) = (attributes, ui, resultTexts)
    }

    init(row: Row) throws {
        self.init(
            type: try row.text("type"), language: try row.text("language"), title: try row.text("title"),
            message: try row.text("message"),
            attributes: try JSONDecoder().decode(
                [AttributeTemplate].self, from: Data(row.text("attributes").utf8)),
            ui: try row.optionalText("ui").map { try JSONValue(parsing: Array($0.utf8)) },
            resultTexts: try row.optionalText("result_texts").map { try JSONValue(parsing: Array($0.utf8)) })
    }

    /// The attributes as JSON, as they are stored and listed.
    var attributesJSON: JSONValue {
        .array(
            attributes.map { attribute in
                var members: [String: JSONValue] = [
                    "type": .string(attribute.type), "id": .string(attribute.id),
                    "text": .string(attribute.text),
                ]
                members["params"] = attribute.params.map { .object($0.mapValues(JSONValue.string)) }
                return .object(members)
            })
    }
}
