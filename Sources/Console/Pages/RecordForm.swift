import HTTP
import PlatformKit

/// The fields of a form that asks for inputs.
struct RecordForm {
    /// Bytes of a form or of a call that brings inputs.
    static let bytes = 64 * 1024

    /// Parts the names of inputs from those of the form's own fields.
    private static let prefix = "input."

    let inputs: [ConsoleRecord.Input]
    /// What was typed before, by name; presets stand where nothing was typed yet.
    var typed: [String: String]?

    /// The inputs that a browser sends.
    static func values(_ form: Form) -> [String: String] {
        let pairs = form.pairs.filter { $0.name.hasPrefix(prefix) }.map {
            // WHATWG HTML, “Constructing the entry list”: a field of several lines comes with CR LF.
            (String($0.name.dropFirst(prefix.count)), $0.value.replacing("\r\n", with: "\n"))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    var html: [HTML] { inputs.map { field($0) } }

    private func field(_ input: ConsoleRecord.Input) -> HTML {
        let value = typed.map { $0[input.name] ?? "" } ?? input.preset
        let title = input.isRequired || !input.preset.isEmpty ? input.title : "\(input.title) (optional)"
        let look = input.isLong ? "field long" : "field"
        return "<label class=\"\(look)\"><span>\(title)</span> \(control(input, value))</label>"
    }

    private func control(_ input: ConsoleRecord.Input, _ value: String) -> HTML {
        let name = Self.prefix + input.name
        let required: HTML = input.isRequired ? " required" : ""
        if !input.choices.isEmpty {
            let hasNone = !input.isRequired && input.preset.isEmpty
            let none = hasNone ? [(value: "", title: "None")] : []
            let options = HTML.options(none + input.choices.map { ($0, $0) }, chosen: value)
            return "<select name=\"\(name)\"\(required)>\(options)</select>"
        }
        let plain: HTML = " autocomplete=\"off\" spellcheck=\"false\""
        if input.isLong {
            // Every line that it begins with is seen.
            let rows = min(max(value.split(separator: "\n").count, 3), 12)
            // The first line feed behind the tag is none of the text.
            return "<textarea name=\"\(name)\" rows=\"\(rows)\"\(plain)\(required)>\n\(value)</textarea>"
        }
        return "<input name=\"\(name)\" value=\"\(value)\"\(plain)\(required)>"
    }
}
