import Testing

@testable import Hanko

/// Source: the mail address expression of Go's package validator 10, whose letters are code points.
struct MailAddressTests {
    @Test(arguments: [
        "ada@example.com", "a.b+c@sub.example.org", "!#$%&'*+-/=?^_`{|}~@example.com", "ada@example.com.",
        "jürgen@müller.example", "1@2.a1b", "ada@a-b_c~d.example", "e\u{301}@e\u{301}.example",
        "a@\u{301}b.example",
    ])
    func `addresses are addresses`(text: String) { #expect(MailAddress.isValid(text)) }

    @Test(arguments: [
        "", "@", "ada", "ada@", "@example.com", "ada@example", "a@b@example.com", ".ada@example.com",
        "ada.@example.com", "a..b@example.com", "a b@example.com", "ada@-example.com", "ada@example-.com",
        "ada@example..com", "ada@.example.com", "ada@example.c0", "ada@example.0m", "\"a b\"@example.com",
        "ada@exa mple.com", "ada@example.com..", "ada@[127.0.0.1]",
    ])
    func `everything else is not`(text: String) { #expect(!MailAddress.isValid(text)) }

    @Test func `an address has 320 bytes at most`() {
        let longest = String(repeating: "a", count: 308) + "@example.com"
        #expect(longest.utf8.count == 320 && MailAddress.isValid(longest))
        #expect(!MailAddress.isValid("a" + longest))
    }
}
