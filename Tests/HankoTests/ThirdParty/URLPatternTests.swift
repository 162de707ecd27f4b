import PlatformKit
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
        ("http://localhost:300?", "http://localhost:3001", true),
        ("http://localhost:300?", "http://localhost:300", false),
        ("https://app?example.com", "https://app.example.com", false),
        ("https://[a-c]pp.example.com", "https://bpp.example.com", true),
        ("https://[!a-c]pp.example.com", "https://bpp.example.com", false),
        ("https://{app,www}.example.com/{a,b}", "https://www.example.com/a", true),
        ("https://{app,www}.example.com/{a,b}", "https://api.example.com/a", false),
        ("https://example.com/\\*", "https://example.com/x", false),
        ("https://example.com/\\*", "https://example.com/*", true),
    ])
    func `one star stops at dots and slashes, two at nothing`(pattern: String, url: String, isMatch: Bool)
        throws
    {
        #expect(try URLPattern(pattern).matches(url) == isMatch)
    }

    @Test(arguments: ["http://[a", "http://[]x", "http://{a", "http://[z-a]", "{a,{b,c}}"])
    func `what does not close is refused`(pattern: String) {
        #expect(throws: FixtureProblem.self) { try URLPattern(pattern) }
    }

    @Test func `braces make a bounded number of alternatives`() {
        #expect(throws: FixtureProblem.self) { try URLPattern(String(repeating: "{a,b}", count: 7)) }
        #expect(throws: Never.self) { try URLPattern(String(repeating: "{a,b}", count: 6)) }
    }

    @Test(arguments: [
        ("http://localhost:3000@evil.test/", true), ("http://localhost:3000:x@evil.test", true),
        ("http:\\\\localhost:3000@evil.test", true), ("https://@evil.test", true),
        ("http://localhost:3000/@ada", false), ("http://localhost:3000?a=b@c", false),
        ("com.example.app:/cb", false), ("http://localhost:3000\\@ada", false),
    ])
    func `an address with user information is none that a pattern means`(url: String, isSo: Bool) throws {
        #expect(URLPattern.namesUser(url) == isSo)
        let rules = try Configuration(
            json: #"{"third_party": {"allowed_redirect_urls": ["http://localhost:3000**", "**"]}}"#
        ).thirdParty
        #expect(rules.allows(redirect: url) == !isSo)
    }

    @Test func `many stars cost no more than the length of both`() throws {
        let pattern = try URLPattern(String(repeating: "**a", count: 200) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 2_000)))
    }
}
