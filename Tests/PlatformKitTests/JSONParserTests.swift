import Essentials
import Testing

@Suite struct JSONParserTests {
    private func parsed(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    @Test func `the object of RFC 8259 section 13 is read`() throws {
        let image = try parsed(
            """
            {"Image":{"Width":800,"Title":"View from 15th Floor","Thumbnail":{"Url":"http://www.example.com/image/481989943",
            "Height":125},"Animated":false,"IDs":[116, 943, 234, 38793]}}
            """)["Image"]

        #expect(image?["Width"] == 800)
        #expect(image?["Title"] == "View from 15th Floor")
        #expect(image?["Thumbnail"]?["Height"] == 125)
        #expect(image?["Animated"] == false)
        #expect(image?["IDs"] == [116, 943, 234, 38793])
    }

    @Test(arguments: [
        ("0", JSONValue.integer(0)), ("-0", .integer(0)), ("9223372036854775807", .integer(.max)),
        ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1e3", .integer(1000)),
        ("37.7668", .number(37.7668)), ("-122.026020", .number(-122.02602)), ("null", .null),
        ("\"\\u00e9\\uD834\\udd1e\\/\\n\"", .string("\u{E9}\u{1D11E}/\n")), (" [ ] ", .array([])),
        ("{\"a\":1,\"a\":2}", .object(["a": 2])),
    ])
    func `a value is read`(_ text: String, _ expected: JSONValue) throws {
        #expect(try parsed(text) == expected)
    }

    // RFC 8259 §2 to §8: what the grammar does not have.
    @Test(arguments: [
        "", " ", "01", "+1", "-", ".5", "1.", "1e", "1e999", "nul", "truex", "[1,]", "[,1]", "[1", "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}", "{a:1}", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u+123\"", "\"\\ud834\"",
        "\"\\ud834\\u0041\"",
        "\"\\udd1e\"", "\"a\nb\"", "1 2", "[1] ]", "NaN", "'a'",
    ])
    func `what is no JSON is refused`(_ text: String) {
        #expect(throws: DecodingError.self) { try parsed(text) }
    }

    @Test func `text that is no UTF-8 is refused`() {
        #expect(throws: DecodingError.self) { try JSONValue(parsing: [0x22, 0xC3, 0x28, 0x22]) }
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
    func `32 levels are read, and more are refused before they exhaust the stack`(
        _ open: String, _ close: String
    )
        throws
    {
        func nested(_ levels: Int) -> String {
            String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
        }

        _ = try parsed(nested(32))
        for levels in [33, 500, 100_000] {
            #expect(throws: DecodingError.self) { try parsed(nested(levels)) }
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(JSONValue.self, from: Data(nested(500).utf8))
        }
    }
}
