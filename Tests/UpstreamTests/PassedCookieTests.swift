import Testing

@testable import Upstream

/// Cookies of a real service, as a browser on our address takes them. Source: RFC 6265bis §5.6, §4.1.3.
struct PassedCookieTests {
    private func cookie(isSecure: Bool = false, ours: String = "/hanko") -> PassedCookie {
        PassedCookie(
            paths: PagePaths(theirs: "/base", ours: ours), host: "login.tenant.example", isSecure: isSecure)
    }

    @Test(arguments: [
        ("a=1; Domain=login.tenant.example; Path=/base/x; Secure; HttpOnly", "a=1; Path=/hanko/x; HttpOnly"),
        ("a=1;domain=.tenant.example;path=/", "a=1; Path=/hanko"),
        ("a=1; SameSite=None; Secure", "a=1; SameSite=Lax"),
        ("__Secure-a=1; Secure; SameSite=None; Path=/", "__Secure-a=1; Secure; SameSite=None; Path=/hanko"),
        ("__Host-a=1; Secure; Path=/", "__Host-a=1; Secure; Path=/"),
        ("a=1; Domain=other.example", "a=1; Domain=other.example"),
    ])
    func `a client that speaks HTTP`(theirs: String, ours: String) {
        #expect(cookie().ours(theirs) == ours)
    }

    @Test func `a client that speaks TLS keeps Secure`() {
        #expect(cookie(isSecure: true).ours("a=1; Secure; SameSite=None") == "a=1; Secure; SameSite=None")
    }

    @Test func `at a root of its own the path is the root`() {
        #expect(cookie(ours: "").ours("a=1; Path=/base") == "a=1; Path=/")
    }
}
