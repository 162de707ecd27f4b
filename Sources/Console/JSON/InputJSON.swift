import PlatformKit

/// A field of a form, as the API gives it.
struct InputJSON: Encodable {
    let name: String
    let title: String
    let required: Bool
    /// Left out when anything goes.
    let choices: [String]?
    /// Left out when the field is empty at first.
    let preset: String?
    let long: Bool

    init(_ input: ConsoleRecord.Input) {
        name = input.name
        title = input.title
        required = input.isRequired
        choices = input.choices.isEmpty ? nil : input.choices
        preset = input.preset.isEmpty ? nil : input.preset
        long = input.isLong
    }
}
