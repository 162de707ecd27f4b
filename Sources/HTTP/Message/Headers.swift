/// Header fields in the order they came or will be sent. Names compare without regard to case.
package struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package private(set) var fields: [Field] = []

    /// What is added to most answers on their way: an id, and what browsers are told.
    private static let fieldsToCome = 4

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        fields.reserveCapacity(elements.count + Self.fieldsToCome)
        for (name, value) in elements { fields.append(Field(name: name, value: value)) }
    }

    /// The value of the first field called `name`. Setting replaces every field of that name; `nil` removes them.
    package subscript(_ name: String) -> String? {
        get { fields.first { $0.name.equalsIgnoringCase(name) }?.value }
        set {
            // Without the look, removing nothing would copy the fields.
            if fields.contains(where: { $0.name.equalsIgnoringCase(name) }) {
                fields.removeAll { $0.name.equalsIgnoringCase(name) }
            }
            if let newValue { add(name, newValue) }
        }
    }

    /// Every value of `name`, in order.
    package func values(of name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// Appends a field, beside others of the same name: `Set-Cookie` twice is two cookies.
    package mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    package mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }
}

extension String {
    /// Equality of ASCII letters without regard to case, as header names and schemes compare.
    package func equalsIgnoringCase(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // Most names are written as they are asked for.
        return self == other
            || utf8.elementsEqual(other.utf8) { $0 == $1 || $0.asciiLowercase == $1.asciiLowercase }
    }
}
