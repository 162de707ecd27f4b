import Crypto
import Testing
import WebAuthn

@Suite struct CBORTests {
    /// Of RFC 8949 appendix A, what has no tags, no floating point numbers and definite lengths.
    static let examples: [(String, CBOR)] = [
        ("00", CBOR(0)), ("01", CBOR(1)), ("0a", CBOR(10)), ("17", CBOR(23)), ("1818", CBOR(24)),
        ("1819", CBOR(25)), ("1864", CBOR(100)), ("1903e8", CBOR(1000)), ("1a000f4240", CBOR(1_000_000)),
        ("1b000000e8d4a51000", CBOR(1_000_000_000_000)), ("1bffffffffffffffff", .unsigned(.max)),
        ("3bffffffffffffffff", .negative(.max)), ("20", CBOR(-1)), ("29", CBOR(-10)), ("3863", CBOR(-100)),
        ("3903e7", CBOR(-1000)), ("f4", .boolean(false)), ("f5", .boolean(true)), ("f6", .null),
        ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")), ("6161", .text("a")),
        ("6449455446", .text("IETF")), ("62225c", .text("\"\\")), ("62c3bc", .text("ü")),
        ("63e6b0b4", .text("水")), ("64f0908591", .text("\u{10151}")), ("80", .array([])),
        ("83010203", .array([CBOR(1), CBOR(2), CBOR(3)])),
        ("8301820203820405", .array([CBOR(1), .array([CBOR(2), CBOR(3)]), .array([CBOR(4), CBOR(5)])])),
        (
            "98190102030405060708090a0b0c0d0e0f101112131415161718181819",
            .array((1...25).map { CBOR($0) })
        ),
        ("a0", .map([])), ("a201020304", .map([CBOREntry(CBOR(1), CBOR(2)), CBOREntry(CBOR(3), CBOR(4))])),
        (
            "a26161016162820203",
            .map([
                CBOREntry(.text("a"), CBOR(1)), CBOREntry(.text("b"), .array([CBOR(2), CBOR(3)])),
            ])
        ),
        ("826161a161626163", .array([.text("a"), .map([CBOREntry(.text("b"), .text("c"))])])),
    ]

    @Test(arguments: examples.map(\.0))
    func `the examples of RFC 8949 are read and written`(_ hex: String) throws {
        let value = try #require(Self.examples.first { $0.0 == hex }?.1)
        let bytes = try #require(Hex.decode(hex))

        #expect(try CBORDecoder.decode(bytes) == value)
        #expect(value.encoded == bytes)
        // One item with something behind it.
        let first = try CBORDecoder.first(in: (bytes + [0xFF])[...])
        #expect(first.value == value)
        #expect(first.count == bytes.count)
        let trailing = #expect(throws: CBORError.self) { try CBORDecoder.decode(bytes + [0]) }
        #expect(trailing?.reason == .trailing(1))
        #expect(trailing?.offset == bytes.count)
        for count in 0..<bytes.count {
            #expect(throws: CBORError.self) { try CBORDecoder.decode(Array(bytes.prefix(count))) }
        }
    }

    @Test(
        arguments: [
            // RFC 8949 appendix A.
            ("f90000", .float), ("fa47c35000", .float), ("fb3ff199999999999a", .float), ("f97e00", .float),
            ("f7", .simpleValue), ("f0", .simpleValue), ("f8ff", .simpleValue), ("c11a514b67b0", .tag),
            ("d74401020304", .tag), ("c249010000000000000000", .tag),
            ("5f42010243030405ff", .indefiniteLength),
            ("7f657374726561646d696e67ff", .indefiniteLength), ("9fff", .indefiniteLength),
            ("bf61610161629f0203ffff", .indefiniteLength),
            // RFC 8949 appendix F: not well-formed.
            ("", .ends), ("18", .ends), ("19", .ends), ("1b01020304050607", .ends), ("1c", .reserved),
            ("1f", .reserved), ("3e", .reserved), ("5c", .reserved), ("ff", .reserved), ("fc", .reserved),
            ("41", .length), ("5affffffff00", .length), ("5bffffffffffffffff010203", .length),
            ("7affffffff00", .length), ("81", .length), ("9a01ff00", .ends), ("a1", .length),
            ("a2010203", .length),
            ("bbffffffffffffffff", .length), ("9bffffffffffffffff", .length),
            // Not in the shortest form.
            ("1817", .notShortest), ("1900ff", .notShortest), ("1a0000ffff", .notShortest),
            ("1b00000000ffffffff", .notShortest), ("580100", .notShortest), ("3817", .notShortest),
            // One key twice, keys of other kinds, no UTF-8.
            ("a201000100", .duplicateKey), ("a2616100616100", .duplicateKey), ("a14100f6", .keyType),
            ("a180f6", .keyType), ("a1f6f6", .keyType), ("61ff", .text), ("62c328", .text),
            ("63eda080", .text),
        ] as [(String, CBORError.Reason)])
    func `what authenticators must not write is refused`(_ hex: String, _ reason: CBORError.Reason) throws {
        let bytes = try #require(Hex.decode(hex))
        let error = #expect(throws: CBORError.self) { try CBORDecoder.decode(bytes) }
        #expect(error?.reason == reason)
    }

    @Test func `depth, items and size have limits`() throws {
        func nested(_ depth: Int) -> [UInt8] { [UInt8](repeating: 0x81, count: depth) + [0] }
        _ = try CBORDecoder.decode(nested(WebAuthnLimits.cborDepth))
        let deep = #expect(throws: CBORError.self) {
            try CBORDecoder.decode(nested(WebAuthnLimits.cborDepth + 1))
        }
        #expect(deep?.reason == .depth)
        #expect(throws: CBORError.self) { try CBORDecoder.decode(nested(60_000)) }

        let most = CBOR.array(Array(repeating: .null, count: WebAuthnLimits.cborItems - 1))
        _ = try CBORDecoder.decode(most.encoded)
        let many = CBOR.array(Array(repeating: .null, count: WebAuthnLimits.cborItems)).encoded
        #expect(#expect(throws: CBORError.self) { try CBORDecoder.decode(many) }?.reason == .items)

        let long = CBOR.bytes([UInt8](repeating: 0, count: WebAuthnLimits.cborBytes)).encoded
        #expect(#expect(throws: CBORError.self) { try CBORDecoder.decode(long) }?.reason == .size)
    }

    @Test func `maps are read in any order and written in that of CTAP2`() throws {
        // FIDO CTAP 2.1 §8: shorter keys first, positive integers before negative ones, then texts.
        let keys = [CBOR(10), CBOR(100), CBOR(-1), .text("z"), .text("aa")]
        let entries = keys.map { CBOREntry($0, .null) }
        let expected = "a50af61864f620f6617af6626161f6"

        #expect(Hex.encode(CBOR.map(entries.reversed()).encoded) == expected)
        let shuffled: [UInt8] = entries.reversed().reduce([0xA5]) { $0 + $1.key.encoded + $1.value.encoded }
        #expect(try CBORDecoder.decode(shuffled).encoded == Hex.decode(expected))
    }

    @Test func `values are found by their keys`() throws {
        let map = try CBORDecoder.decode(try #require(Hex.decode("a3010203206261610a")) + [])
        #expect(map[1]?.integer == 2)
        #expect(map[3]?.integer == -1)
        #expect(map["aa"]?.integer == 10)
        #expect(map[2] == nil)
        #expect(CBOR.unsigned(.max).integer == nil)
        #expect(CBOR.negative(UInt64(Int.max)).integer == Int.min)
        #expect(CBOR(Int.min).integer == Int.min)
    }
}
