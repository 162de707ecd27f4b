import HTTP
import Testing

@testable import Comparison

/// Bodies are what they are, whatever their field says.
@Suite struct BodyContentTests {
    private static let form = "application/x-www-form-urlencoded"

    private func content(_ text: String, _ type: String) -> BodyContent {
        BodyContent(Array(text.utf8), called: type)
    }

    @Test(arguments: [form, "application/json", "text/plain", "text/html", ""])
    func `an object is JSON by any name`(type: String) {
        let found = content(#" {"code": "a=b&c"}"#, type).json
        #expect(found?["code"]?.string == "a=b&c")
        #expect(content(#"[{"id": 1}]"#, type).json?.array?.count == 1)
    }

    // A form may be a single name, which is JSON as well.
    @Test func `a number is what it is called`() {
        #expect(content("1234", Self.form).fields.pairs.map(\.name) == ["1234"])
        #expect(content("1234", "application/json").json?.number == 1234)
    }

    @Test(arguments: [form, "application/json", ""])
    func `pairs are a form by any name`(type: String) {
        let fields = content("grant_type=password&note=a%20b+c&empty=", type).fields
        #expect(fields["grant_type"] == "password" && fields["note"] == "a b c" && fields["empty"] == "")
    }

    @Test(arguments: ["a sentence, with a = b", "=x", "a=b=c", "a=b&", "{\"a\":", "key"])
    func `what is neither stays so`(text: String) {
        guard case .other = content(text, "application/json") else {
            Issue.record("“\(text)” was taken for a form or for JSON")
            return
        }
    }

    @Test func `what is called a page or a text is no form`() {
        #expect(content("a=b", "text/plain").fields.pairs.isEmpty)
        guard case .page = content("<p>a=b", "text/html") else {
            Issue.record("a page was taken for something else")
            return
        }
        guard case .none = content("", Self.form) else {
            Issue.record("nothing was taken for something")
            return
        }
    }
}
