import Testing

@testable import Hanko

@Suite struct URLPatternTests {
    @Test(arguments: [
        ("http://localhost:3000", "http://localhost:3000", true),
        ("http://localhost:3000/", "http://localhost:3000", true),
        ("http://localhost:3000", "http://localhost:3001", false),
        ("https://*.example.com", "https://app.example.com", true),
        ("https://*.example.com", "https://a.b.example.com", false),
        ("https://**.example.com", "https://a.b.example.com", true),
        ("https://example.com/*", "https://example.com/welcome", true),
        ("https://example.com/*", "https://example.com/welcome/home", false),
        ("https://example.com/**", "https://example.com/welcome/home.html?x=1", true),
        ("https://example.com/*", "https://example.com.evil.test/welcome", false),
        ("http://localhost:**", "http://localhost:8080/back?a=b", true),
        ("http://localhost:**", "http://localhost.evil.test:80", false),
        ("**", "", true),
        ("", "x", false),
    ])
    func `one star stops at dots and slashes, two at nothing`(pattern: String, url: String, isMatch: Bool) {
        #expect(URLPattern(pattern).matches(url) == isMatch)
    }

    @Test func `many stars cost no more than the length of both`() {
        let pattern = URLPattern(String(repeating: "**a", count: 200) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 2_000)))
    }
}
