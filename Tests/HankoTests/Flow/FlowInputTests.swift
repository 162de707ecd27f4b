import Essentials
import Testing

@testable import Hanko

struct FlowInputTests {
    @Test(
        arguments: [
            (nil, FlowInputRefusal.missing), ("" as JSON, .missing), (12 as JSON, .missing),
            (.null, .missing),
            ("ab", .tooShort), ("abc", nil), ("äb", nil), ("abcdef", nil), ("abcdefg", .tooLong),
            ("äöüä", .tooLong),
        ] as [(JSON?, FlowInputRefusal?)])
    func `a required text has its length in bytes`(value: JSON?, error: FlowInputRefusal?) {
        let input = FlowInput("x", .string, minLength: 3, maxLength: 6, isRequired: true)

        #expect(input.fault(of: value) == error)
    }

    @Test(
        arguments: [(nil, nil), ("" as JSON, nil), (12 as JSON, nil), ("ab", .tooShort)]
            as [(JSON?, FlowInputRefusal?)])
    func `an optional text may be missing, and keeps the rules when it is there`(
        value: JSON?, error: FlowInputRefusal?
    ) {
        #expect(FlowInput("x", .string, minLength: 3).fault(of: value) == error)
    }

    @Test(arguments: [FlowInput.Kind.json, .boolean])
    func `JSON and booleans are never looked at, not even for being there`(kind: FlowInput.Kind) {
        let input = FlowInput("x", kind, isRequired: true)

        for value in [nil, "text", 12, .null, [:]] as [JSON?] { #expect(input.fault(of: value) == nil) }
    }

    @Test(arguments: [
        ("ada@example.com", true), ("A.d_a%+-9@sub.ex-ample.io", true), ("ada@example.t", false),
        ("ada@example", false), ("@example.com", false), ("ada@.test", false), ("ada@@example.com", false),
        ("a da@example.com", false), ("ada@exam ple.test", false), ("ada@example.t3st", false),
        ("ädä@example.com", false), ("ada@example.com\n", false), ("ada", false),
    ])
    func `an address matches the pattern`(text: String, isValid: Bool) {
        // The pattern of the documentation, by an engine that is not ours.
        #expect((text.wholeMatch(of: /[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}/) != nil) == isValid)
        #expect(FlowInput("x", .email).fault(of: .string(text)) == (isValid ? nil : .invalid))
    }

    @Test func `a text with choices is one of them`() {
        let input = FlowInput(
            "x", .string, isRequired: true,
            choices: [.init(value: "a", name: "A"), .init(value: "b", name: "B")])

        #expect(input.fault(of: "b") == nil)
        #expect(input.fault(of: "B") == .invalid)
    }

    @Test func `blanks and capitals go where the input says so, before it is judged`() throws {
        let inputs = [FlowInput("x", .string, maxLength: 3, isTrimmed: true, isLowercased: true)]

        let form = FlowForm(["x": " ABC\n", "y": " ABC "], for: inputs)
        #expect(form.text("x") == "abc")
        #expect(form.text("y") == " ABC ")
        try form.check(by: inputs)
    }

    @Test func `JSON comes as it is or as a text that holds it`() throws {
        let form = FlowForm(["x": ["a": 1], "y": "{\"a\":1}", "z": "{"])

        #expect(try form.json("x") == ["a": 1])
        #expect(try form.json("y") == ["a": 1])
        #expect(try form.json("none") == nil)
        #expect(throws: DecodingError.self) { try form.json("z") }
    }

    @Test func `a mistake is told with what was expected and what came`() {
        let inputs = [FlowInput("email", .email, minLength: 3, maxLength: 120, isRequired: true)]

        let refusal = #expect(throws: FlowRefusal.self) { try FlowForm(["email": 12]).check(by: inputs) }
        #expect(refusal?.inputs == ["email": .missing])
        #expect(
            refusal?.explanation
                == "Expected an email address (required, at least 3 bytes, at most 120 bytes) in “email”, found 12."
        )
    }
}
