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
