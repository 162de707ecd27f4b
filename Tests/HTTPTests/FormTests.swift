import HTTP
import Testing

/// Expected values: WHATWG URL §5.1, and the cases of `urlencoded-parser.any.js` of web-platform-tests.
struct FormTests {
    @Test(arguments: [
        ("", []), ("&", []), ("&&&a=b&&&&c=d&", ["a:b", "c:d"]), ("a=b", ["a:b"]), ("a=", ["a:"]),
        ("a", ["a:"]),
        ("=b", [":b"]), ("=", [":"]), ("a=b=c", ["a:b=c"]), ("a=a&a=b&a=c", ["a:a", "a:b", "a:c"]),
        ("a==a", ["a:=a"]),
        ("a=a+b+c+d", ["a:a b c d"]), ("%=a", ["%:a"]), ("%a=a", ["%a:a"]), ("%a_=a", ["%a_:a"]),
        ("%61=a", ["a:a"]),
        ("%61+%4d%4D=", ["a MM:"]), ("id=0&value=%", ["id:0", "value:%"]), ("b=%2", ["b:%2"]),
        ("b=%2sf%2a", ["b:%2sf*"]),
        ("b=%2%2af%2a", ["b:%2*f*"]), ("b=%%2a", ["b:%*"]), ("a=%2B", ["a:+"]),
        ("%FE%FF", ["\u{FFFD}\u{FFFD}:"]),
        ("\u{301}=1&\u{301}=2", ["\u{301}:1", "\u{301}:2"]),
    ])
    func `pairs are read as the standard says`(_ text: String, _ pairs: [String]) {
        #expect(Form(text).pairs.map { "\($0.name):\($0.value)" } == pairs)
    }

    @Test func `the first of several values is the value`() {
        let form = Form("a=1&b=2&a=3")

        #expect(form["a"] == "1")
        #expect(form.values(of: "a") == ["1", "3"])
        #expect(form["c"] == nil)
    }

    @Test func `query and body are forms of a request`() {
        let request = Request(.post, "/", query: "a=1", body: [UInt8]("b=%C3%86&c=\u{FFFD}".utf8))

        #expect(request.queryItems["a"] == "1")
        #expect(request.form["b"] == "Æ")
        #expect(Request(.get, "/").queryItems == Form(""))
    }

    @Test(arguments: [
        ("a=1", "1"), ("b=2; a=1", "1"), ("b=2;a=1;a=3", "1"), ("a=x=y", "x=y"), ("a=", ""), ("aa=1", nil),
        ("A=1", nil),
        ("a", nil), ("", nil), ("b=\"a=1\"", nil), ("a=1 ; b=2", "1"),
    ])
    func `a cookie is found by its exact name`(_ header: String, _ value: String?) {
        #expect(Request(.get, "/", headers: ["Cookie": header]).cookie("a") == value)
    }
}
