/// What a byte may be in a message. Source: RFC 9110 §5.6.2 (token), RFC 3986 §2.2 and §2.3.
struct ByteClass: OptionSet {
    let rawValue: UInt8

    static let token = ByteClass(rawValue: 1)
    /// `unreserved` and `sub-delims`, the bytes of a registered name besides `%XX`.
    static let name = ByteClass(rawValue: 2)
    static let hex = ByteClass(rawValue: 4)
    static let digit = ByteClass(rawValue: 8)

    static func of(_ byte: UInt8) -> ByteClass { table[Int(byte)] }

    private static let table: [ByteClass] = {
        var table = [ByteClass](repeating: [], count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let digits = "0123456789"
        for byte in (letters + digits + "!#$%&'*+-.^_`|~").utf8 { table[Int(byte)].insert(.token) }
        for byte in (letters + digits + "-._~!$&'()*+,;=").utf8 { table[Int(byte)].insert(.name) }
        for byte in (digits + "abcdefABCDEF").utf8 { table[Int(byte)].insert(.hex) }
        for byte in digits.utf8 { table[Int(byte)].insert(.digit) }
        return table
    }()
}

extension Collection<UInt8> {
    func allAre(_ kind: ByteClass) -> Bool { allSatisfy { ByteClass.of($0).contains(kind) } }

    /// Equality with a lower-case ASCII word, letters without regard to case.
    func equals(lowercase word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        var expected = word.utf8Start
        for byte in self {
            if byte.asciiLowercase != expected.pointee { return false }
            expected += 1
        }
        return true
    }
}

extension UInt8 {
    /// Space or tab: optional whitespace. Source: RFC 9110 §5.6.3.
    var isBlank: Bool { self == 0x20 || self == 0x09 }
}
