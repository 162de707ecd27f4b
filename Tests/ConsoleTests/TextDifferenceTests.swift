import Testing

@testable import Console

@Suite struct TextDifferenceTests {
    @Test(arguments: [
        ("a\nb", "a\nb", ["=a", "=b"]), ("a\nb\nc", "a\nx\nc", ["=a", "-b", "+x", "=c"]),
        ("a", "a\nb", ["=a", "+b"]), ("a\nb", "b", ["-a", "=b"]), ("", "a", ["-", "+a"]),
    ])
    func `lines are told with their side`(first: String, second: String, lines: [String]) {
        let told = TextDifference(first, second).lines.map { line in
            switch line.side {
            case .both: "=" + line.text
            case .first: "-" + line.text
            case .second: "+" + line.text
            }
        }
        #expect(told == lines)
    }
}
