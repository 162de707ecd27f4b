/// What the shapes of a section's entries cannot say: names of which there is one, references between entries, ranges of numbers.
///
/// A rule throws ``FixtureProblem`` at the place of the mistake.
package struct FixtureRules {
    private var names: [String: Set<String>] = [:]

    package init() {}

    /// A name of its kind, such as `server`, that is there once.
    ///
    /// - Parameter path: of the member that has it.
    package mutating func add(_ name: String, to kind: String, at path: [String]) throws {
        guard names[kind, default: []].insert(name).inserted else {
            throw FixtureProblem(at: path, "“\(name.prefix(60))” appears twice")
        }
    }

    /// A name that may be there already.
    package mutating func note(_ name: String, as kind: String) { names[kind, default: []].insert(name) }

    /// A reference to something of this section.
    package func require(_ name: String, _ kind: String, at path: [String]) throws {
        guard names[kind]?.contains(name) == true else {
            throw FixtureProblem(at: path, "there is no \(kind) “\(name.prefix(60))”")
        }
    }

    package static func require(_ range: ClosedRange<Int>, _ number: Int?, at path: [String]) throws {
        guard let number, !range.contains(number) else { return }
        throw FixtureProblem(
            at: path, "expected a number from \(range.lowerBound) to \(range.upperBound), found \(number)")
    }
}
