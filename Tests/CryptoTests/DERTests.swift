import Crypto
import Testing

@Suite struct DERTests {
    @Test(arguments: [
        // X.690 §8.19.5 has the second arc above 39; the others are of RFC 5280 and RFC 8017.
        ("0603883703", "2.999.3"), ("0603550403", "2.5.4.3"),
        ("06092a864886f70d01010b", "1.2.840.113549.1.1.11"),
        ("06082a8648ce3d040302", "1.2.840.10045.4.3.2"),
        ("060b2b0601040182e51c010104", "1.3.6.1.4.1.45724.1.1.4"),
    ])
    func `object identifiers are read and written`(_ hex: String, _ dotted: String) throws {
        let bytes = try #require(Hex.decode(hex))
        #expect(try DERElement(parsing: bytes).objectIdentifier() == dotted)
        #expect(try DER.objectIdentifier(dotted) == bytes)
    }

    @Test(arguments: [
        ("020100", 0), ("02017f", 127), ("02020080", 128), ("020180", -128), ("0202ff7f", -129),
    ])
    func `integers are those of X690`(_ hex: String, _ number: Int) throws {
        #expect(try DERElement(parsing: try #require(Hex.decode(hex))).integer() == number)
    }

    @Test func `numbers, long lengths and high tags are written as they are read`() throws {
        #expect(Hex.encode(DER.unsigned([0, 0, 0x80])) == "02020080")
        #expect(Hex.encode(DER.unsigned([])) == "020100")
        #expect(Hex.encode(DER.element(.context(702), DER.unsigned([0]))) == "bf853e03020100")
        for count in [0, 127, 128, 255, 256, 65_535, 65_536] {
            let bytes = DER.octetString([UInt8](repeating: 7, count: count))
            #expect(try DERElement(parsing: bytes).of(.octetString).bytes.count == count)
        }
        let parts = try DERElement(parsing: DER.sequence([DER.unsigned([1]), DER.set([])])).of(.sequence)
            .children()
        #expect(parts.map(\.tag) == [.integer, .set])
        #expect(try DERElement(parsing: DER.element(.context(702), [])).tag == .context(702))
    }

    @Test(arguments: [
        "", "30", "3001", "300100ff", "3080", "308100", "30817f", "30820001", "3085000000000000", "0403ff",
        "1f",
        "bfffffffffff7f00", "0201000",
    ])
    func `what is no DER is refused`(_ hex: String) {
        #expect(throws: CryptoError.self) { try DERElement(parsing: Hex.decode(hex) ?? []) }
    }

    @Test func `an element of another kind is refused`() throws {
        let text = try DERElement(parsing: DER.utf8String("a"))
        #expect(throws: CryptoError.self) { try text.integer() }
        #expect(throws: CryptoError.self) { try text.boolean() }
        #expect(throws: CryptoError.self) { try text.objectIdentifier() }
        #expect(throws: CryptoError.self) { try text.children() }
        #expect(throws: CryptoError.self) { try text.of(.integer) }
        #expect(throws: CryptoError.self) { try DERElement(parsing: [6, 1, 0x80]).objectIdentifier() }
        #expect(throws: CryptoError.self) { try DERElement(parsing: [2, 0]).integer() }
        for dotted in ["", "1", "3.1", "1.40", "1.x", "1.2.-3"] {
            #expect(throws: CryptoError.self) { try DER.objectIdentifier(dotted) }
        }
    }
}
