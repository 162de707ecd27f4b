// Counts in sentences: one of a thing is no several.
extension BinaryInteger {
    /// `1 attempt`, `3 attempts`, `2 tries`.
    ///
    /// - Parameter plural: where it is not the noun with an s.
    package func counted(_ noun: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
    }

    /// `1 attempt is left`, `3 attempts are left`.
    package func countedLeft(_ noun: String, _ plural: String? = nil) -> String {
        "\(counted(noun, plural)) \(self == 1 ? "is" : "are") left"
    }
}
