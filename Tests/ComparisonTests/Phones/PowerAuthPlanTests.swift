import Testing

@testable import Comparison

/// What of a recording tells which codes of PowerAuth were right.
@Suite struct PowerAuthPlanTests {
    private static let header =
        #"PowerAuth version=\"3.2\", token_id=\"9ad06434-590f-4630-aa10-3b42c9254686\", token_digest=\"AA==\""#

    private func verification(_ isValid: Bool) -> Rehearsal.Line {
        Rehearsal.Line(
            path: "/v2/token/verify", asked: #"{"authHeader":"\#(Self.header)"}"#,
            told: #"{"tokenValid":\#(isValid)}"#)
    }

    /// A back end of another app is told that there is no such token.
    @Test(arguments: [[false, true], [true, false], [true], [false]])
    func `a token is right when one back end heard so`(verdicts: [Bool]) throws {
        let play = Rehearsal(lines: verdicts.map(verification))
        let plan = PowerAuthPlan(play.exchanges, try play.bases("powerauth-cloud", RouteBook([])))
        let check = try #require(plan.checks[Self.header.replacing(#"\""#, with: "\"")])
        #expect(check.isValid == verdicts.contains(true))
    }

    // Source: PowerAuth, Offline Signatures: 8 digits for each factor, with a dash between them.
    @Test(arguments: [
        ("12345678-12345678", "possession_knowledge", 8, true),
        ("1234567812345678", "possession_knowledge", 8, false), ("12345678", "possession", 8, false),
        ("123456-123456", "possession_knowledge", 6, true), ("", "possession", 4, false),
    ])
    func `a code is typed with or without its dash`(
        text: String, factors: String, digits: Int, hasDashes: Bool
    ) {
        let layout = PowerAuthPhones.TypedLayout(text)
        #expect((layout.factors, layout.digits, layout.hasDashes) == (factors, digits, hasDashes))
    }
}
