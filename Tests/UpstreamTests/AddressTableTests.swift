import Testing

@testable import Upstream

/// Addresses of a real service become ours and again its own, however they are written.
struct AddressTableTests {
    private let table = AddressTable([
        .init(ours: "http://localhost:8420/hanko", theirs: "https://tenant.example/base"),
        .init(ours: "http://localhost:8420/hanko-admin", theirs: "https://tenant.example/base/admin"),
    ])

    @Test(arguments: [
        ("https://tenant.example/base/login?a=1", "http://localhost:8420/hanko/login?a=1"),
        ("https://tenant.example/base", "http://localhost:8420/hanko"),
        ("See https://tenant.example/base.", "See http://localhost:8420/hanko."),
        (#"{"u":"https:\/\/tenant.example\/base\/a"}"#, #"{"u":"http:\/\/localhost:8420\/hanko\/a"}"#),
        ("?r=https%3A%2F%2Ftenant.example%2Fbase%2Fa", "?r=http%3A%2F%2Flocalhost%3A8420%2Fhanko%2Fa"),
        ("?r=https%3a%2f%2ftenant.example%2fbase", "?r=http%3a%2f%2flocalhost%3a8420%2fhanko"),
        // What Python's urllib.parse.quote leaves as it is, and what others do.
        ("?r=https%3A//tenant.example/base/a", "?r=http%3A//localhost%3A8420/hanko/a"),
        ("?r=https:%2F%2Ftenant.example%2Fbase%2Fa", "?r=http:%2F%2Flocalhost:8420%2Fhanko%2Fa"),
        (#"{"socket":"wss://tenant.example/base/ws"}"#, #"{"socket":"ws://localhost:8420/hanko/ws"}"#),
        ("http://tenant.example/base/a", "http://localhost:8420/hanko/a"),
        ("https://tenant.example:443/base/a", "http://localhost:8420/hanko/a"),
        ("https://tenant.example/base/admin/x", "http://localhost:8420/hanko-admin/x"),
    ])
    func `an address of theirs becomes ours`(theirs: String, ours: String) {
        #expect(table.ours(theirs) == ours)
    }

    @Test(arguments: [
        "https://tenant.example/basement", "https://tenant.example/base-2", "https://tenant.example/base.old",
        "https://tenant.example.evil/base", "https://tenant.example:8443/base",
        "https://tenant.example/other",
        "tenant.example", "xhttps//tenant.example/base", "h", "http", "",
        "?r=https%3A%2F%2Ftenant.example%2Fbase%41",
    ])
    func `another address stays as it is`(text: String) {
        #expect(table.ours(text) == text)
    }

    @Test(arguments: [
        #"{"issuer":"https://tenant.example/base"}"#, #"{"issuer" : "https://tenant.example/base/realm"}"#,
        #"{"iss":"https:\/\/tenant.example\/base"}"#, "/cb?code=1&iss=https%3A%2F%2Ftenant.example%2Fbase",
        #"{"to":"https://app/cb?code=1\u0026iss=https%3A%2F%2Ftenant.example%2Fbase"}"#,
        "?to=https%3A%2F%2Fapp%2Fcb%3Fiss%3Dhttps%3A%2F%2Ftenant.example%2Fbase",
    ])
    func `an issuer stays that of the tokens`(text: String) {
        #expect(table.ours(text) == text)
    }

    @Test func `an address of ours becomes theirs`() {
        #expect(
            table.theirs(
                "redirect_uri=http%3A%2F%2Flocalhost%3A8420%2Fhanko%2Fcb&x=http://localhost:8420/app")
                == "redirect_uri=https%3A%2F%2Ftenant.example%2Fbase%2Fcb&x=http://localhost:8420/app")
        #expect(table.theirs("http%3A//localhost%3A8420/hanko/cb") == "https%3A//tenant.example/base/cb")
    }
}
