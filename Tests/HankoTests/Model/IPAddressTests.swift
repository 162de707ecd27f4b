import Testing

@testable import Hanko

/// Source: RFC 4291 §2.2.
struct IPAddressTests {
    @Test(arguments: [
        "127.0.0.1", "255.255.255.255", "::", "::1", "2001:db8::8:800:200c:417a", "FF01::101",
        "2001:DB8:0:0:8:800:200C:417A", "0:0:0:0:0:0:13.1.68.3", "::FFFF:129.144.52.38", "1::",
    ])
    func `addresses are addresses`(text: String) { #expect(IPAddress.isValid(text)) }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1.2.3.4 ", "a.b.c.d", ":", ":::", "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "1.2.3.4::", "::1.2.3", "1:2:3:4:5:6:7:8::", "1:",
        "fe80::1%eth0",
    ])
    func `everything else is not`(text: String) { #expect(!IPAddress.isValid(text)) }
}
