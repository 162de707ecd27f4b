import Testing

@testable import HTTPClient

struct URLTests {
    @Test(arguments: [
        ("http://a", "a:80", "a", "/"), ("HTTPS://a/", "a:443", "a", "/"),
        ("http://a:8420/b?c#d", "a:8420", "a:8420", "/b?c"),
        ("http://a?b", "a:80", "a", "/?b"), ("http://[::1]:81/x", "[::1]:81", "[::1]:81", "/x"),
        ("http://[::1]", "[::1]:80", "[::1]", "/"),
        ("https://a:443/", "a:443", "a", "/"), ("http://a:/", "a:80", "a", "/"),
        ("http://a//b", "a:80", "a", "//b"),
        ("http://a#b", "a:80", "a", "/"),
    ])
    func `a URL says where to connect and what to ask`(
        _ text: String, _ place: String, _ authority: String, _ target: String
    ) throws {
        let url = try ClientURL(text)

        #expect((url.place, url.authority, url.target) == (place, authority, target))
    }

    @Test(arguments: [
        "", "a", "/a", "ftp://a", "http:/a", "http://", "http:///a", "http://:80", "http://a:b",
        "http://a:65536", "http://a:0",
        "http://a:-1", "http://a:+1", "http://[::1", "http://[]", "http://[::1]x", "http://u:p@a",
        "http://a b", "http://ä", "http://a/\r\nX: y",
    ])
    func `a URL that cannot be called is refused with a reason`(_ text: String) {
        let error = #expect(throws: ClientError.self) { try ClientURL(text) }

        #expect(error?.description.contains("is not a URL that can be called: ") == true)
    }

    @Test(arguments: [
        ("HTTP://Host.Example:80/a?b", "http://host.example"), ("http://a:8080", "http://a:8080"),
        ("https://a/x", "https://a"), ("https://a:80/", "https://a:80"), ("http://[::1]/", "http://[::1]"),
        ("ftp://a", nil), ("", nil),
    ])
    func `a URL says whose it is`(_ text: String, _ origin: String?) {
        #expect(HTTPClient.origin(of: text) == origin)
    }
}
