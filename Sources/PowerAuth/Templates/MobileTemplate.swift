import Essentials
import SQLite

/// What a device shows of operations of one type.
struct MobileTemplate: Record, Equatable {
    static let table: Table = "powerauth_mobile_template"

    /// `placeholder`: the operation type.
    let id: String
    /// By primary subtag of a language in lower case, such as `en`.
    var texts: [String: Text]

    struct Text: Codable, Sendable, Equatable {
        var title: String
        var message: String
        var attributes: [AttributeTemplate]? = nil
        /// Screens before and after the approval, buttons, hints; replaces what the risk flags of the operation say.
        var ui: [String: JSONValue]? = nil
        /// `success`, `failure`, `reject`.
        var resultTexts: [String: JSONValue]? = nil

        enum CodingKeys: String, CodingKey {
            case title, message, attributes, ui
            case resultTexts = "result_texts"
        }
    }
}
