// What a byte may be in a message. Written as ranges, which become a few comparisons.

extension UInt8 {
    /// Source: RFC 9110 §5.6.2.
    package var isToken: Bool {
        // One bit for each: ! # $ % & ' * + - . 0-9, and A-Z ^ _ ` a-z | ~ above them.
        let bits: UInt64 = self < 0x40 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return self < 0x80 && bits >> (UInt64(self) & 63) & 1 == 1
    }

    /// `unreserved` and `sub-delims`: what a registered name has besides `%XX`. Source: RFC 3986 §2.2 and §2.3.
    var isNameByte: Bool {
        switch self {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39: true
        // ! $ & ' ( ) * + , - . ; = _ ~
        case 0x21, 0x24, 0x26...0x2E, 0x3B, 0x3D, 0x5F, 0x7E: true
        default: false
        }
    }

    var isDigit: Bool { (0x30...0x39).contains(self) }

    /// Space or tab: optional white space. Source: RFC 9110 §5.6.3.
    var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// What no line may have: every control byte but tab. Source: RFC 9110 §5.5.
    var isForbiddenControl: Bool { self < 0x20 ? self != 0x09 : self == 0x7F }

    var asciiLowercase: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension Collection<UInt8> {
    /// Equality with a word, letter for letter.
    @inline(__always)
    func equals(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        var expected = word.utf8Start
        for byte in self {
            if byte != expected.pointee { return false }
            expected += 1
        }
        return true
    }

    /// Equality with a lower-case ASCII word, letters without regard to case.
    @inline(__always)
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
