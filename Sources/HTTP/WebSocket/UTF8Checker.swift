/// Tells whether bytes that come in pieces are UTF-8, with the first byte that cannot be. Source: The Unicode Standard, table 3-7.
struct UTF8Checker: Sendable {
    /// Bytes that the present character still needs, and where the next of them must lie.
    private var needed = 0
    private var next: ClosedRange<UInt8> = 0x80...0xBF

    /// No character is half read.
    var isComplete: Bool { needed == 0 }

    /// False when no UTF-8 begins like this.
    mutating func add(_ bytes: some Sequence<UInt8>) -> Bool {
        for byte in bytes where needed > 0 || byte >= 0x80 {
            guard needed == 0 ? begin(byte) : goOn(byte) else { return false }
        }
        return true
    }

    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: (needed, next) = (1, 0x80...0xBF)
        case 0xE0: (needed, next) = (2, 0xA0...0xBF)
        case 0xED: (needed, next) = (2, 0x80...0x9F)  // No surrogates.
        case 0xE1...0xEF: (needed, next) = (2, 0x80...0xBF)
        case 0xF0: (needed, next) = (3, 0x90...0xBF)
        case 0xF1...0xF3: (needed, next) = (3, 0x80...0xBF)
        case 0xF4: (needed, next) = (3, 0x80...0x8F)  // Up to U+10FFFF.
        default: return false
        }
        return true
    }

    private mutating func goOn(_ byte: UInt8) -> Bool {
        guard next.contains(byte) else { return false }
        (needed, next) = (needed - 1, 0x80...0xBF)
        return true
    }
}
