import Testing

@testable import Comparison

@Suite struct RulesTests {
    private let difference = Difference(.more, "body user.plan", recorded: "", ours: "\"free\"", "a sentence")

    @Test(arguments: [
        #"{"route":"GET /hanko/me","kind":"more","place":"body user.plan","why":"older tenant"}"#,
        #"{"place":"body user.*"}"#, "// a remark\n\n" + #"{"kind":"more"}"#,
    ])
    func `a rule allows what it names`(text: String) throws {
        #expect(try Rules(text).rule(for: "GET /hanko/me", difference) != nil)
    }

    @Test(arguments: [#"{"route":"GET /hanko/users"}"#, #"{"kind":"missing"}"#, #"{"place":"body user"}"#])
    func `a rule allows nothing else`(text: String) throws {
        #expect(try Rules(text).rule(for: "GET /hanko/me", difference) == nil)
    }

    @Test(arguments: [
        ("{", "line 1: "), ("\n[]", "line 2: a rule is a JSON object"), (#"{"plce":"x"}"#, "not “plce”"),
        (#"{"kind":"moer"}"#, "“moer” is no kind of difference"),
        (#"{"why":"because"}"#, "would allow everything"),
    ])
    func `a rule that makes no sense is refused with its line`(text: String, reason: String) {
        let error = #expect(throws: RecordingUnreadable.self) { try Rules(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func `what is accepted is allowed`() throws {
        let rules = try Rules(Rules.line("GET /hanko/me", difference))
        #expect(rules.rule(for: "GET /hanko/me", difference) != nil)
    }
}
