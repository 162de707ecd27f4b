/// Letters without case and accents, for comparing words; digits of any script as numbers. A scalar at a time, without tables of the system's.
enum TextFolding {
    /// What to compare instead of `scalar`; nil where it is passed over: accents of their own, and what joins or turns letters.
    static func folded(_ scalar: UInt32) -> UInt32? {
        switch scalar {
        case 0x41...0x5A: scalar + 0x20
        case 0..<0xAD: scalar
        case 0xAD, 0x300...0x36F, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF, 0xFE00...0xFE0F:
            nil
        case 0xC0...0x24F: latin(scalar, latinExtended, from: 0xC0)
        case 0x370...0x3FF: greek(scalar)
        case 0x400...0x40F: scalar == 0x401 ? 0x435 : scalar + 0x50
        case 0x410...0x42F: scalar + 0x20
        case 0x451: 0x435
        case 0x460...0x52F: scalar | 1
        case 0x591...0x5BD, 0x5BF, 0x5C1...0x5C2, 0x640, 0x64B...0x65F, 0x670: nil
        case 0x622, 0x623, 0x625: 0x627
        case 0x643: 0x6A9
        case 0x649, 0x64A: 0x6CC
        case 0x629: 0x647
        case 0x1E00...0x1EFF: latin(scalar, latinAdditional, from: 0x1E00)
        case 0xFF21...0xFF3A: scalar - 0xFF21 + 0x61
        case 0xFF41...0xFF5A: scalar - 0xFF41 + 0x61
        default: scalar
        }
    }

    /// Without case, with accents; as far as words need it that differ by an accent alone.
    static func lowercased(_ scalar: UInt32) -> UInt32 {
        switch scalar {
        case 0x41...0x5A, 0xC0...0xDE: scalar + 0x20
        case 0x100...0x17F: scalar | 1
        case 0x1EA0...0x1EFF: scalar | 1
        case 0..<0x250: scalar
        default: folded(scalar) ?? 0
        }
    }

    /// 0 to 9 of the scripts that people write codes in.
    static func digit(_ scalar: UInt32) -> UInt8? {
        switch scalar {
        case 0x30...0x39: UInt8(scalar - 0x30)
        case 0x660...0x669: UInt8(scalar - 0x660)
        case 0x6F0...0x6F9: UInt8(scalar - 0x6F0)
        case 0x966...0x96F: UInt8(scalar - 0x966)
        case 0x9E6...0x9EF: UInt8(scalar - 0x9E6)
        case 0xE50...0xE59: UInt8(scalar - 0xE50)
        case 0xFF10...0xFF19: UInt8(scalar - 0xFF10)
        default: nil
        }
    }

    /// Whether words may begin with it or go on with it.
    static func isLetter(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x41...0x5A, 0x61...0x7A, 0xAD: true
        case 0..<0xC0, 0xD7, 0xF7, 0x2C2...0x2DF, 0x37E, 0x387, 0x589, 0x5BE, 0x5C0, 0x5C3, 0x5F3, 0x5F4:
            false
        case 0x600...0x60F, 0x61B...0x61F, 0x66A...0x66D, 0x6D4, 0x964, 0x965, 0x970, 0xE3F, 0xE4F, 0xE5A,
            0xE5B:
            false
        case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069: true
        case 0x2000...0x2BFF, 0x3000...0x3004, 0x3008...0x3030, 0x303D, 0x30FB: false
        case 0xE000...0xF8FF, 0xFE10...0xFE6F, 0xFF00...0xFF20, 0xFF3B...0xFF40, 0xFF5B...0xFF65,
            0xFFE0...0xFFFF:
            false
        case 0x1F000...0x1FAFF: false
        default: true
        }
    }

    /// Whether its script is written without blanks between words, or with endings that stick to them: Thai, Lao, Burmese, Khmer, Chinese, Japanese,
    /// Korean. Words are found inside of such text.
    static func isUnspaced(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0xE00: false
        case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3040...0x318F,
            0x31F0...0x31FF:
            true
        case 0x3400...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x20000...0x3FFFF: true
        default: false
        }
    }

    private static func greek(_ scalar: UInt32) -> UInt32 {
        switch scalar {
        case 0x391...0x3A9: scalar + 0x20
        case 0x386, 0x3AC: 0x3B1
        case 0x388, 0x3AD: 0x3B5
        case 0x389, 0x3AE: 0x3B7
        case 0x38A, 0x3AA, 0x3AF, 0x390, 0x3CA: 0x3B9
        case 0x38C, 0x3CC: 0x3BF
        case 0x38E, 0x3AB, 0x3CD, 0x3B0, 0x3CB: 0x3C5
        case 0x38F, 0x3CE: 0x3C9
        case 0x3C2: 0x3C3
        default: scalar
        }
    }

    private static func latin(_ scalar: UInt32, _ table: StaticString, from first: UInt32) -> UInt32 {
        let base = UInt32(table.utf8Start[Int(scalar - first)])
        return base == 0x2E ? scalar : base
    }

    /// The letters under the accents of U+00C0 to U+024F and U+1E00 to U+1EFF, a point where there is none.
    /// Source: UnicodeData.txt, canonical decompositions; ß, æ, ø, đ, ł, ı and their like as people write them without.
    private static let latinExtended: StaticString =
        "aaaaaaaceeeeiiiidnooooo.ouuuuytsaaaaaaaceeeeiiiidnooooo.ouuuuytyaaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkkkllllllllllnnnnnn.nnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs................................oo.............uu............................aaiioouuuuuuuuuu.aaaa....ggkkoooo..j...gg..nnaa....aaaaeeeeiiiioooorrrruuuusstt..hh......aaeeooooooooyy............................"
    private static let latinAdditional: StaticString =
        "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwy....s.aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......"
}
