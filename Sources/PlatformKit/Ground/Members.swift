package import Essentials
import HTTP

/// The members of a JSON object that a client sent, whatever it says of the content type. Null is as good as nothing, and members
/// that nobody asks for are ignored.
///
/// A reader refuses a member that is missing or of another kind: at once, or, of an input that collects, together with all the
/// others in ``check()``; until then its value is an empty one.
package final class Members {
    /// What is wrong with a body, or with one of its members.
    package struct Fault: Sendable, Equatable {
        /// Empty for the body as a whole.
        package let name: String
        /// Nil when it is missing.
        package let value: JSONValue?
        /// `a text of 1 to 255 characters`; of the body a sentence.
        package let expected: String
        /// What is wrong where that is not the kind of the value, for the middle of a sentence: `names a scope that does not exist`.
        package let reason: String?

        package init(_ name: String, _ value: JSONValue? = nil, expected: String) {
            self.init(name: name, value: value, expected: expected, reason: nil)
        }

        package init(_ name: String, _ value: JSONValue? = nil, reason: String) {
            self.init(name: name, value: value, expected: "", reason: reason)
        }

        /// The same fault, of a member of the object `parent`.
        package func within(_ parent: String) -> Fault {
            Fault(name: "\(parent).\(name)", value: value, expected: expected, reason: reason)
        }

        private init(name: String, value: JSONValue?, expected: String, reason: String?) {
            (self.name, self.value, self.expected, self.reason) = (name, value, expected, reason)
        }

        /// `The member "userId" must be a text, found 17.`
        package var sentence: String {
            if let reason { return "The member “\(name)” \(reason)." }
            if name.isEmpty { return expected }
            guard let value else { return "The body lacks the member “\(name)”." }
            return "The member “\(name)” must be \(expected), found \(value.text.prefix(40))."
        }
    }

    /// How the platform says what is wrong; at least one fault.
    package typealias Refusing = @Sendable ([Fault]) -> any Error

    /// What a platform's parser forgives, and when it complains.
    package struct Manner: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Complains of all mistakes together.
        package static let collecting = Manner(rawValue: 1)
        /// No body is an object without members.
        package static let bodyIsOptional = Manner(rawValue: 2)
        /// An empty text is as good as nothing.
        package static let emptyIsNothing = Manner(rawValue: 4)
        /// Names in any case.
        package static let anyCase = Manner(rawValue: 8)
    }

    package let values: [String: JSONValue]
    package private(set) var faults: [Fault] = []
    private let manner: Manner
    private let refusing: Refusing

    package init(_ values: [String: JSONValue], _ manner: Manner = [], else refusing: @escaping Refusing) {
        self.values = values.filter {
            !$0.value.isNull && !(manner.contains(.emptyIsNothing) && $0.value == "")
        }
        (self.manner, self.refusing) = (manner, refusing)
    }

    /// - Throws: for a body that is no JSON object.
    package convenience init(
        parsing body: [UInt8], _ manner: Manner = [], else refusing: @escaping Refusing
    ) throws {
        let values = manner.contains(.bodyIsOptional) && body.isEmpty ? [:] : try Self.object(body, refusing)
        self.init(values, manner, else: refusing)
    }

    private static func object(_ body: [UInt8], _ refusing: Refusing) throws -> [String: JSONValue] {
        do {
            if let object = try JSONValue(parsing: body).object { return object }
        } catch let error as DecodingError {
            throw refusing([Fault("", expected: "The body is not the expected JSON: \(error.sentence).")])
        }
        throw refusing([Fault("", expected: "Expected a JSON object as the body, found another value.")])
    }

    /// Nil for null.
    package subscript(_ name: String) -> JSONValue? {
        if let value = values[name] { return value }
        guard manner.contains(.anyCase) else { return nil }
        return values.first { $0.key.lowercased() == name.lowercased() }?.value
    }

    /// - Throws: everything that was collected.
    package func check() throws {
        if !faults.isEmpty { throw refusing(faults) }
    }

    /// Notes what is wrong with a member, or throws it.
    package func refuse(_ name: String, _ expected: String) throws {
        try refuse([Fault(name, self[name], expected: expected)])
    }

    /// Notes what is wrong with a member though it is of the right kind, or throws it.
    ///
    /// - Parameter reason: for the middle of a sentence, such as `names a scope that does not exist`.
    package func fail(_ name: String, _ reason: String) throws {
        try refuse([Fault(name, self[name], reason: reason)])
    }

    /// Notes faults that somebody else found, or throws them.
    package func refuse(_ found: [Fault]) throws {
        guard manner.contains(.collecting) else { throw refusing(found) }
        faults += found
    }

    /// What a member is read as; nil when it is missing.
    package func read<Value>(
        _ name: String, _ expected: @autoclosure () -> String, isRequired: Bool = false,
        _ convert: (JSONValue) -> Value?
    ) throws -> Value? {
        let found = self[name]
        let value = found.flatMap(convert)
        if value == nil, isRequired || found != nil { try refuse(name, expected()) }
        return value
    }
}

extension Members {
    /// A text that must be there.
    package func text(_ name: String, _ lengths: ClosedRange<Int> = 1...255) throws -> String {
        try read(name, Self.ofLength(lengths), isRequired: true) { $0.text(lengths) } ?? ""
    }

    package func optionalText(_ name: String, _ lengths: ClosedRange<Int> = 0...255) throws -> String? {
        try read(name, Self.ofLength(lengths)) { $0.text(lengths) }
    }

    /// - Parameter count: of texts, at most.
    package func optionalTexts(
        _ name: String, _ lengths: ClosedRange<Int> = 1...255, count: Int = 100
    ) throws -> [String]? {
        try read(
            name,
            "a list of at most \(count) texts of \(lengths.lowerBound) to \(lengths.upperBound) characters"
        ) {
            $0.strings.flatMap {
                $0.count <= count && $0.allSatisfy { lengths.contains($0.count) } ? $0 : nil
            }
        }
    }

    package func optionalBoolean(_ name: String) throws -> Bool? {
        try read(name, "true or false") { $0.boolean }
    }

    package func optionalInteger(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
        try read(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            $0.integer.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    package func optionalChoice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _: Choice.Type
    ) throws -> Choice? {
        try read(name, "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", ")) {
            $0.string.flatMap(Choice.init(rawValue:))
        }
    }

    /// An object; read its members by another value of this type.
    package func optionalObject(_ name: String) throws -> [String: JSONValue]? {
        try read(name, "an object") { $0.object }
    }

    private static func ofLength(_ lengths: ClosedRange<Int>) -> String {
        lengths.upperBound == .max
            ? lengths.lowerBound == 0 ? "a text" : "a text that is not empty"
            : "a text of \(lengths.lowerBound) to \(lengths.upperBound) characters"
    }
}

extension JSONValue {
    fileprivate func text(_ lengths: ClosedRange<Int>) -> String? {
        string.flatMap { text in
            // Nothing has more characters than bytes, and nothing that is not empty has none.
            let bytes = text.utf8.count
            if bytes <= lengths.upperBound, lengths.lowerBound <= min(bytes, 1) { return text }
            return lengths.contains(text.count) ? text : nil
        }
    }
}
