import Essentials
import PlatformKit
import Testing

struct MembersTests {
    struct Refused: Error, Equatable {
        let sentences: [String]
    }

    private func members(_ body: String, _ manner: Members.Manner = []) throws -> Members {
        try Members(parsing: Array(body.utf8), manner) { Refused(sentences: $0.map(\.sentence)) }
    }

    @Test func `members are read by their kind, null is nothing, others are ignored`() throws {
        let input = try members(
            #"{"name": "Ada", "age": 36, "admin": true, "tags": ["a", "b"], "gone": null, "other": {}}"#)
        #expect(try input.text("name") == "Ada")
        #expect(try input.optionalInteger("age", 0...150) == 36)
        #expect(try input.optionalBoolean("admin") == true)
        #expect(try input.optionalTexts("tags") == ["a", "b"])
        #expect(try input.optionalText("gone") == nil)
        #expect(input["gone"] == nil)
        try input.check()
    }

    @Test(arguments: [
        (#"{"name": 7}"#, #"The member “name” must be a text of 1 to 255 characters, found 7."#),
        (#"{}"#, #"The body lacks the member “name”."#),
        (#"{"name": null}"#, #"The body lacks the member “name”."#),
        (#"{"name": ""}"#, #"The member “name” must be a text of 1 to 255 characters, found ""."#),
        ("[]", "Expected a JSON object as the body, found another value."),
        ("", "The body is not the expected JSON"), ("{", "The body is not the expected JSON"),
    ])
    func `a mistake is refused at once`(body: String, sentence: String) {
        let error = #expect(throws: Refused.self) { try members(body).text("name") }
        #expect(error?.sentences.count == 1)
        #expect(error?.sentences.first?.hasPrefix(sentence) == true)
    }

    @Test func `an input that collects refuses all mistakes together`() throws {
        let input = try members(#"{"age": 151, "tags": ["", "b"]}"#, .collecting)
        #expect(try input.text("name") == "")
        #expect(try input.optionalInteger("age", 0...150) == nil)
        #expect(try input.optionalTexts("tags") == nil)
        #expect(
            throws: Refused(sentences: [
                #"The body lacks the member “name”."#,
                #"The member “age” must be a whole number from 0 to 150, found 151."#,
                #"The member “tags” must be a list of at most 100 texts of 1 to 255 characters, found ["","b"]."#,
            ])
        ) { try input.check() }
    }

    @Test func `what a platform finds wrong stands beside what the reader found`() throws {
        let input = try members(#"{"scope": "x", "inner": {"count": "two"}}"#, .collecting)
        try input.fail("scope", "names the scope x, which does not exist")
        let inner = Members(try input.optionalObject("inner") ?? [:], .collecting) { _ in CancellationError()
        }
        #expect(try inner.optionalInteger("count", 0...9) == nil)
        try input.refuse(inner.faults.map { $0.within("inner") })
        #expect(
            throws: Refused(sentences: [
                #"The member “scope” names the scope x, which does not exist."#,
                #"The member “inner.count” must be a whole number from 0 to 9, found "two"."#,
            ])
        ) { try input.check() }
        #expect(throws: Refused.self) { try members("{}").fail("scope", "is wrong") }
    }

    @Test func `what a parser forgives is said by its manner`() throws {
        #expect(try members("", .bodyIsOptional).values.isEmpty)
        #expect(try members(#"{"name": ""}"#, .emptyIsNothing).optionalText("name", 1...9) == nil)
        #expect(try members(#"{"NaMe": "Ada"}"#, .anyCase).text("name") == "Ada")
        #expect(throws: Refused.self) { try members(#"{"NaMe": "Ada"}"#).text("name") }
    }
}
