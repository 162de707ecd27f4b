/// `FOLD`: the first half xor the second. Of 32 bytes 16 remain.
func folded(_ hash: [UInt8]) -> [UInt8] {
    let half = hash.count / 2
    return (0..<half).map { hash[$0] ^ hash[half + $0] }
}

/// The number in as many bytes as its type has, most significant first.
func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
}

/// `SIZED`: before every part its length in four bytes; an absent part has length 0.
func sized(_ parts: [UInt8]?...) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(192)
    for part in parts {
        let part = part ?? []
        bytes += bigEndian(UInt32(clamping: part.count))
        bytes += part
    }
    return bytes
}

/// `DEC`: the last four bytes as a number without its sign, its last `digits` (at most 9) decimal digits.
func decimalCode(of hash: [UInt8], digits: Int) -> String {
    let number = hash.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    var modulus: UInt32 = 1
    for _ in 0..<digits { modulus *= 10 }
    let text = String(number % modulus)
    return String(repeating: "0", count: digits - text.count) + text
}
