import HTTP
import Testing

struct HeadersTests {
    @Test func `names compare without regard to case, and order is kept`() {
        var headers: Headers = ["A": "1", "b": "2"]
        headers.add("a", "3")

        #expect(headers["a"] == "1")
        #expect(headers.values(of: "A") == ["1", "3"])
        #expect(headers.fields.map(\.value) == ["1", "2", "3"])
    }

    @Test func `setting a field replaces every field of its name`() {
        var headers: Headers = ["A": "1", "b": "2", "a": "3"]

        headers["a"] = "4"
        headers["B"] = nil

        #expect(headers == ["a": "4"])
    }

    @Test(arguments: [
        ("abc", "ABC", true), ("[", "{", false), ("@", "`", false), ("a", "ab", false), ("Ä", "ä", false),
        ("", "", true),
    ])
    func `only ASCII letters have a case`(_ left: String, _ right: String, _ equal: Bool) {
        #expect(left.equalsIgnoringCase(right) == equal)
    }
}
