/// What is wrong in a fixture file, and where.
package struct FixtureError: Error, Equatable, CustomStringConvertible {
    package let file: String
    /// Counted from 1.
    package let line: Int
    package let column: Int
    /// Path of the member, such as `hanko.users[2].emails[0].address`; empty for a fault of the syntax.
    package let field: String
    /// What was expected, and what stands there instead.
    package let reason: String

    init(position: FixtureNode.Position, field: String, reason: String) {
        file = position.file
        line = position.line
        column = position.column
        self.field = field
        self.reason = reason
    }

    init(at node: FixtureNode, path: [String], reason: String) {
        self.init(position: node.position, field: Self.field(path), reason: reason)
    }

    package var description: String {
        "\(file):\(line):\(column): " + (field.isEmpty ? reason : "\(field): \(reason)")
    }

    static func field(_ path: [String]) -> String {
        path.reduce("") { field, step in
            if Int(step) != nil { return field + "[\(step)]" }
            return field.isEmpty ? step : field + "." + step
        }
    }
}

extension FixtureError: Refusal {
    package var explanation: String { description }
}
