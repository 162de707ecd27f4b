extension OpenPGP {
    /// The `count` lowest bytes of a number, most significant first.
    static func bytes(of value: Int, count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A multiprecision integer, written without leading zeros. Source: RFC 4880 §3.2.
    static func number(_ bigEndian: [UInt8]) -> [UInt8] {
        let digits = Array(bigEndian.drop { $0 == 0 })
        let bits = digits.count * 8 - (digits.first?.leadingZeroBitCount ?? 0)
        return bytes(of: bits, count: 2) + digits
    }

    /// The number with zeros before it, `count` bytes long; a number that is longer is `nil`.
    static func padded(_ number: [UInt8], to count: Int) -> [UInt8]? {
        number.count > count ? nil : [UInt8](repeating: 0, count: count - number.count) + number
    }

    /// Runs a computation of `Crypto` and gives its failure our type.
    static func compute<Result>(_ body: () throws -> Result) throws(OpenPGPError) -> Result {
        do { return try body() } catch { throw .cryptography("\(error)") }
    }
}
