import HTTP
import Testing

struct RequestTests {
    private struct Input: Decodable {
        let name: String
        let count: Int
        let nested: [[String: Bool]]?
    }

    @Test(arguments: [
        ("", "the document is malformed"), ("{", "the document is malformed"),
        ("[]", "the document must be an object"),
        (#"{"count":1}"#, #"lacks the member “name”"#),
        (#"{"name":1,"count":1}"#, #"“name” must be a string"#),
        (#"{"name":null,"count":1}"#, #"“name” is null, expected a string"#),
        (#"{"name":"a","count":"1"}"#, #"“count” must be a whole number"#),
        (#"{"name":"a","count":1,"nested":[{"x":0}]}"#, #"“nested.[0].x” must be true or false"#),
        ("\u{FEFF}\u{0}", "the document is malformed"),
    ])
    func `a body that is not the expected JSON is refused with a sentence that names the place`(
        _ body: String, _ sentence: String
    ) {
        let request = Request(.post, "/", body: [UInt8](body.utf8))

        let refusal = #expect(throws: RequestMalformed.self) { try request.json(Input.self) }

        #expect(refusal?.reason.contains(sentence) == true, "\(refusal?.reason ?? "")")
    }

    @Test func `deeply nested JSON is refused, not followed to the end of the stack`() {
        let request = Request(.post, "/", body: [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000))

        #expect(throws: RequestMalformed.self) { try request.json([String].self) }
    }
}
