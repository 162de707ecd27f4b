/// What is wrong in a fixture file, and where.
package struct FixtureError: Error, Equatable, CustomStringConvertible {
    package let file: String
    /// Counted from 1.
    package let line: Int
    package let column: Int
    /// Path of the member, such as `hanko.users[2].emails[0].address`; empty for a fault of the syntax.
    package let field: String
    /// The steps of ``field``; of a member that is missing or unknown, the member's own is the last.
    let path: [String]
    /// What was expected, and what stands there instead.
    package let reason: String
    /// What was surely meant, for who looks at the rest of the file.
    let meant: Meant?

    enum Meant: Equatable, Sendable {
        /// Another name for the last of ``path``, which the entry needs.
        case needed(name: String)
        /// Another name, which the entry can do without.
        case name(String)
        /// Another text as its value.
        case text(String)
    }

    /// - Parameter path: nil for a fault of the syntax, which nothing can be left out to mend.
    init(
        position: FixtureNode.Position, field: String, path: [String]? = nil, meant: Meant? = nil,
        reason: String
    ) {
        self.meant = meant
        self.path = path ?? []
        file = position.file
        line = position.line
        column = position.column
        self.field = field
        self.reason = reason
    }

    init(at node: FixtureNode, path: [String], meant: Meant? = nil, reason: String) {
        self.init(position: node.position, field: Self.field(path), path: path, meant: meant, reason: reason)
    }

    /// The same with the indices that its own file has. Of a member that is missing, ``field`` is the object around it.
    func written(in root: FixtureNode) -> FixtureError {
        guard path.contains(where: { Int($0) != nil }) else { return self }
        let steps = root.asWritten(path)
        let shown = Self.field(path) == field ? steps : steps.dropLast()
        return FixtureError(
            position: .init(file: file, line: line, column: column), field: Self.field(shown), path: path,
            meant: meant, reason: reason)
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

/// What is wrong in a fixture section, in words the author of the file understands.
///
/// The loader adds file, line and column by looking ``path`` up in the text.
package struct FixtureProblem: Error, Equatable {
    /// Members and indices below the platform's section: `["users", "2", "emails", "0", "address"]`; of one that a value throws while it is
    /// decoded, below that value.
    package let path: [String]
    /// What was expected, and what stands there instead.
    package let reason: String

    package init(at path: [String], _ reason: String) {
        self.path = path
        self.reason = reason
    }
}

/// What a check of a fixture file tells about fixtures that load.
package struct FixtureFinding: Sendable {
    package enum Weight: Sendable {
        /// It changes nothing here; it is no mistake.
        case remark
        /// It is surely not meant, such as a client that nobody could ever use.
        case mistake
    }

    package let weight: Weight
    package let problem: FixtureProblem

    package init(_ weight: Weight, _ problem: FixtureProblem) {
        (self.weight, self.problem) = (weight, problem)
    }
}
