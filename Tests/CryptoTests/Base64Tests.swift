import Crypto
import Testing

struct Base64Tests {
    /// RFC 4648 §10
    static let published = [
        "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE=",
        "foobar": "Zm9vYmFy",
    ]

    @Test(arguments: published)
    func `text is that of RFC 4648 in both directions`(_ plain: String, _ encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test func `the last two characters of the alphabet are those of the standard`() {
        #expect(Base64.encode([0xFB, 0xFF]) == "+/8=")
        #expect(Base64.decode("+/8=") == [0xFB, 0xFF])
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9", "Zm9=", "Zm9v====", "=", "====", "-_8=", "Zg==Zg==",
        "Zm9v\n", " Zm9v",
    ])
    func `another spelling is refused`(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
