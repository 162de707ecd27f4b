import Crypto
import Testing

struct EncodingTests {
    // RFC 4648 §10, without padding.
    @Test(
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func `base64url is that of RFC 4648 without padding`(text: String, encoded: String) {
        #expect(Base64URL.encode(Array(text.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(text.utf8))
    }

    // RFC 4648 §10, without padding.
    @Test(
        arguments: [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"),
            ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ])
    func `base32 is that of RFC 4648 without padding`(text: String, encoded: String) {
        #expect(Base32.encode(Array(text.utf8)) == encoded)
        #expect(Base32.decode(encoded) == Array(text.utf8))
        #expect(Base32.decode(encoded + "==", isLenient: true) == Array(text.utf8))
    }

    // The unused bits of MZ are not zero.
    @Test(arguments: ["MZ", "MY==", "my", "M", "MZX", "MZXW6Y", "M1", "MY "])
    func `anything but the one spelling of base32 is refused`(text: String) {
        #expect(Base32.decode(text) == nil)
    }

    @Test func `lenient base32 takes padding and unused bits`() {
        #expect(Base32.decode("MZ======", isLenient: true) == Array("f".utf8))
        #expect(Base32.decode("M", isLenient: true) == nil)
        #expect(Base32.decode("M=Y", isLenient: true) == nil)
    }

    @Test func `the example of RFC 7515 appendix C uses both special characters`() {
        #expect(Base64URL.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
        #expect(Base64URL.decode("A-z_4ME") == [3, 236, 255, 224, 193])
    }

    @Test(arguments: ["A", "Zg==", "Zh", "Zm9=", "A+z/4ME", "Zm 8", "Zm8\n", "Zmé", "=", "====="])
    func `anything but the one spelling is refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `padding is taken only where it is allowed and right`() {
        #expect(Base64URL.decode("Zg==", allowingPadding: true) == Array("f".utf8))
        #expect(Base64URL.decode("Zm8=", allowingPadding: true) == Array("fo".utf8))
        #expect(Base64URL.decode("Zm8", allowingPadding: true) == Array("fo".utf8))
        #expect(Base64URL.decode("Zg=", allowingPadding: true) == nil)
        #expect(Base64URL.decode("Z===", allowingPadding: true) == nil)
    }

    @Test func `hexadecimal digits come out in lower case and are read in both`() {
        #expect(Hex.encode([0, 0x9f, 0xff]) == "009fff")
        #expect(Hex.decode("009fFF") == [0, 0x9f, 0xff])
        #expect(Hex.decode("0") == nil)
        #expect(Hex.decode("0g") == nil)
        #expect(Hex.decode("٠٠") == nil)
    }
}
