import QRCode
import Testing

/// What a symbol says of itself: ISO/IEC 18004 §7.9 format information and §7.10 version information.
@Suite struct FormatTests {
    // §7.9.1, table 12.
    @Test(arguments: [
        (QRCode.Correction.low, 0b01), (.medium, 0b00), (.quartile, 0b11), (.high, 0b10),
    ])
    func `format information says the level, twice, in a valid code word`(
        _ correction: QRCode.Correction, _ indicator: Int
    ) throws {
        let symbol = try QRCode(Sample.bytes(60), correction: correction).matrix
        let size = symbol.count

        let beside: [(row: Int, column: Int)] =
            [0, 1, 2, 3, 4, 5, 7, 8].map { (8, $0) } + [7, 5, 4, 3, 2, 1, 0].map { ($0, 8) }
        let apart: [(row: Int, column: Int)] =
            (0..<7).map { (size - 1 - $0, 8) } + (0..<8).map { (8, size - 8 + $0) }
        let format = symbol.number(at: beside) ^ 0b101_0100_0001_0010
        #expect(symbol.number(at: apart) ^ 0b101_0100_0001_0010 == format)
        #expect(format >> 13 == indicator)
        #expect(remainder(of: format, by: 0b101_0011_0111) == 0)
        #expect(symbol[size - 8][8], "the module above the lower copy is always dark")
    }

    // Annex D, table D.1: the 18 bits for some versions.
    @Test(arguments: [
        (7, 0x07C94), (8, 0x085BC), (9, 0x09A99), (14, 0x0E60D), (21, 0x15683), (32, 0x209D5), (40, 0x28C69),
    ])
    func `version information stands twice from version 7`(_ version: Int, _ bits: Int) throws {
        let symbol = try Sample.symbol(version: version, .medium).matrix
        let size = symbol.count

        let falling = (0..<18).reversed()
        let upper = falling.map { (row: $0 / 3, column: size - 11 + $0 % 3) }
        let lower = falling.map { (row: size - 11 + $0 % 3, column: $0 / 3) }
        #expect(symbol.number(at: upper) == bits)
        #expect(symbol.number(at: lower) == bits)
    }

    /// Of a division of polynomials over the numbers 0 and 1.
    private func remainder(of dividend: Int, by divisor: Int) -> Int {
        let degree = Int.bitWidth - divisor.leadingZeroBitCount
        var rest = dividend
        while Int.bitWidth - rest.leadingZeroBitCount >= degree {
            rest ^= divisor << (Int.bitWidth - rest.leadingZeroBitCount - degree)
        }
        return rest
    }
}
