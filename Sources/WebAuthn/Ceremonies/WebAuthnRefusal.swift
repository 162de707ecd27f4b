/// Why a ceremony is refused; also a warning, where the relying party lets it pass.
package struct WebAuthnRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    package let check: WebAuthnCheck
    /// Where Web Authentication Level 3 asks for it, such as `§7.1 step 9`.
    package let step: String
    package let expected: String
    package let got: String
    /// A line for the fixtures with which it would pass, such as `"origins": ["https://example.com"]`.
    package let fixture: String?
    /// What was found out about the cause, in sentences.
    package let finding: String?

    package init(
        _ check: WebAuthnCheck, _ step: String, expected: String, got: String, fixture: String? = nil,
        finding: String? = nil
    ) {
        (self.check, self.step) = (check, step)
        (self.expected, self.got, self.fixture) = (expected, got, fixture)
        self.finding = finding
    }

    /// A sentence for the journal.
    package var explanation: String {
        "Web Authentication Level 3 \(step), \(check.rawValue): expected \(expected), got \(got)."
            + (finding.map { " " + $0 } ?? "")
            + (fixture.map { " To allow it, have in the fixtures: \($0)" } ?? "")
    }

    package var description: String { explanation }
}
