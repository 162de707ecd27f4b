import Essentials
import HTTP

/// The members of a JSON body, read one by one. What is missing or wrong is collected, so that one answer tells all of it.
struct ManagementInput {
    let members: [String: JSONValue]
    private(set) var faults: [AdministrationRefusal.Fault] = []

    init(_ members: [String: JSONValue]) { self.members = members.filter { !$0.value.isNull } }

    /// - Throws: ``AdministrationRefusal/invalid(_:)`` for a body that is no JSON object.
    init(_ request: Request) throws {
        do {
            guard let members = try JSONValue(parsing: request.body).object else {
                throw AdministrationRefusal.invalid("body", "must be a JSON object")
            }
            self.init(members)
        } catch let error as DecodingError {
            throw AdministrationRefusal.invalid("body", "must be JSON: \(error.sentence)")
        }
    }

    /// - Throws: everything that was found wrong.
    func check() throws {
        if !faults.isEmpty { throw AdministrationRefusal.invalid(faults) }
    }

    /// - Parameter reason: for the middle of a sentence.
    mutating func fail(_ name: String, _ reason: String) {
        faults.append(AdministrationRefusal.Fault(name: name, reason: reason))
    }

    mutating func text(_ name: String, isRequired: Bool = false) -> String? {
        read(name, "a text", isRequired) { $0.string }.flatMap { text in
            if text.isEmpty && isRequired { fail(name, "must not be empty") }
            return text
        }
    }

    mutating func texts(_ name: String, isRequired: Bool = false) -> [String]? {
        read(name, "a list of texts", isRequired) { $0.strings }
    }

    mutating func flag(_ name: String) -> Bool? { read(name, "true or false", false) { $0.boolean } }

    mutating func integer(
        _ name: String, in range: ClosedRange<Int> = 0...Int(Int32.max), isRequired: Bool = false
    ) -> Int? {
        read(name, "a whole number from \(range.lowerBound) to \(range.upperBound)", isRequired) {
            $0.integer.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    mutating func choice(_ name: String, of choices: [String], isRequired: Bool = false) -> String? {
        read(name, "one of " + choices.joined(separator: ", "), isRequired) {
            $0.string.flatMap { choices.contains($0) ? $0 : nil }
        }
    }

    /// An object; its own members are read by another value of this type.
    mutating func object(_ name: String) -> [String: JSONValue]? {
        read(name, "an object", false) { $0.object }
    }

    private mutating func read<Value>(
        _ name: String, _ expected: String, _ isRequired: Bool, _ convert: (JSONValue) -> Value?
    ) -> Value? {
        guard let member = members[name] else {
            if isRequired { fail(name, "is missing; expected \(expected)") }
            return nil
        }
        let value = convert(member)
        if value == nil { fail(name, "must be \(expected), not \(member.text.prefix(80))") }
        return value
    }
}
