import PlatformKit

/// What is given for the inputs of a form, by name.
enum RecordInputs {
    /// Characters of one value.
    static let limit = 10_000

    /// The values without those that are empty, which were left out.
    ///
    /// - Throws: `RecordRefusal` for a name that is not asked for, a value that is missing, too long or none of the choices.
    static func checked(_ given: [String: String], for inputs: [ConsoleRecord.Input]) throws -> [String:
        String]
    {
        let given = given.filter { !$0.value.isEmpty }
        let known = inputs.map(\.name)
        // By name, so that the same request hears the same reason.
        if let stranger = given.keys.sorted().first(where: { !known.contains($0) }) {
            throw RecordRefusal.inputWrong(
                "There is no input “\(stranger.shortened)” here, only "
                    + (known.isEmpty ? "none" : known.joined(separator: ", ")) + ".")
        }
        for input in inputs { try check(given[input.name], for: input) }
        return given
    }

    private static func check(_ value: String?, for input: ConsoleRecord.Input) throws {
        // A required value of spaces alone is none: nobody finds again what is called so.
        guard let value, !input.isRequired || !value.allSatisfy(\.isWhitespace) else {
            if input.isRequired { throw RecordRefusal.inputMissing(input.name) }
            return
        }
        guard value.count <= limit else {
            throw RecordRefusal.inputWrong(
                "The value of “\(input.name)” must have at most \(limit) characters, but has \(value.count)."
            )
        }
        guard input.choices.isEmpty || input.choices.contains(value) else {
            throw RecordRefusal.inputWrong(
                "The value of “\(input.name)” must be one of \(input.choices.joined(separator: ", ")), but is "
                    + "“\(value.shortened)”.")
        }
    }
}
