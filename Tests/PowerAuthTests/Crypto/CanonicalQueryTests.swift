import PowerAuth
import Testing

struct CanonicalQueryTests {
    @Test func `the worked example's query has the same body`() throws {
        let example = Example.whole["canonicalQuery"]

        let body = try CanonicalQuery.body(of: example.text("queryString"))
        #expect(try String(decoding: body, as: UTF8.self) == example.text("bodyToSign"))
    }

    @Test(arguments: [
        // The rules: decode once, sort by name and value, encode in form style, drop what has no value.
        ("", ""), ("a", ""), ("a&b=1&&", "b=1"), ("a=", "a="), ("=1", "=1"), ("b=1&a=2&a=1", "a=1&a=2&b=1"),
        ("a=1=2", "a=1%3D2"), ("a=%2B%25+", "a=%2B%25+"), ("a=%7e*-._", "a=%7E*-._"), ("a=%2f", "a=%2F"),
        ("B=1&a=1", "B=1&a=1"), ("a=\u{e9}", "a=%C3%A9"), ("aa=1&a=2", "a=2&aa=1"),
        // By UTF-16 units U+1F600 (D83D DE00) is before U+FF41.
        ("%EF%BD%81=1&%F0%9F%98%80=1", "%F0%9F%98%80=1&%EF%BD%81=1"),
    ])
    func `parameters are put in order`(_ query: String, _ expected: String) throws {
        #expect(try String(decoding: CanonicalQuery.body(of: query), as: UTF8.self) == expected)
    }

    @Test func `a request without a query has an empty body`() throws {
        #expect(try CanonicalQuery.body(of: nil).isEmpty)
    }

    @Test(arguments: ["a=%", "a=%4", "%zz=1", "a=%+1", "a=%\u{FF11}1"])
    func `a broken escape is refused`(_ query: String) {
        #expect(throws: ProtocolFault.self) { try CanonicalQuery.body(of: query) }
    }
}
