import Essentials

/// What devices show of one type of operation, in a fixture file.
struct MobileTemplateFixture: Codable, Sendable {
    /// Operation type.
    var id: String
    /// By primary subtag of a language, such as `en`.
    var texts: [String: Text]

    struct Text: Codable, Sendable {
        var title: String
        var message: String
        var attributes: [AttributeTemplate]?
        /// Screens before and after the approval, buttons, hints; replaces what the risk flags say.
        var ui: [String: JSONValue]?
        /// `success`, `failure`, `reject`.
        var resultTexts: [String: JSONValue]?

        enum CodingKeys: String, CodingKey {
            case title, message, attributes, ui
            case resultTexts = "result_texts"
        }
    }
}
