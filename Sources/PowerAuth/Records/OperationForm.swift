import PlatformKit

/// The form that creates an operation.
struct OperationForm {
    static let kind = "operation"

    let template: String
    /// Nil for an operation of nobody, or of the registration's user.
    let user: String?
    /// The only registration that may approve it.
    let registration: String?
    let parameters: [String: String]
    let flag: String?
    /// Until it expires; the template's when nil.
    let seconds: Int?

    static func form(templates: [String]) -> NewRecord {
        NewRecord(
            kind: kind, title: "Create an operation",
            inputs: [
                ConsoleRecord.Input(
                    "template", "Template", isRequired: true, choices: templates,
                    preset: templates.first ?? ""),
                ConsoleRecord.Input("user", "User"), ConsoleRecord.Input("registration", "Registration id"),
                ConsoleRecord.Input("flag", "Activation flag"),
                ConsoleRecord.Input("seconds", "Seconds to expiry"),
                ConsoleRecord.Input("parameters", "Parameters, a line each: name=value", isLong: true),
            ])
    }

    /// - Throws: `RecordRefusal`.
    init(_ inputs: [String: String]) throws {
        guard let template = inputs["template"] else { throw RecordRefusal.inputMissing("template") }
        self.template = template
        user = inputs["user"]
        registration = inputs["registration"]
        parameters = try Self.parameters(inputs["parameters"] ?? "")
        flag = inputs["flag"]
        seconds = try inputs["seconds"].map(Self.seconds)
    }

    private static func seconds(_ text: String) throws -> Int {
        guard let seconds = Int(text), OperationTemplate.secondLimits.contains(seconds) else {
            let limits = OperationTemplate.secondLimits
            throw RecordRefusal.inputWrong(
                "The seconds to expiry are “\(text.prefix(40))”, expected a whole number from "
                    + "\(limits.lowerBound) to \(limits.upperBound).")
        }
        return seconds
    }

    /// Empty lines are left out; a value may have `=` in it.
    private static func parameters(_ text: String) throws -> [String: String] {
        var parameters: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where line.contains(where: { !$0.isWhitespace }) {
            guard let sign = line.firstIndex(of: "="), sign > line.startIndex else {
                throw RecordRefusal.inputWrong(
                    "The parameter line “\(line.prefix(100))” is not of the form name=value.")
            }
            let name = String(line[..<sign])
            guard parameters.updateValue(String(line[line.index(after: sign)...]), forKey: name) == nil else {
                throw RecordRefusal.inputWrong("The parameter “\(name.prefix(100))” is given twice.")
            }
        }
        return parameters
    }
}
