extension QRCode {
    /// The bytes that the symbol holds, in byte mode. Nothing is corrected: what is drawn here has no errors.
    ///
    /// Source: ISO/IEC 18004:2015 §7.4 to §7.10, read backwards.
    ///
    /// - Throws: ``PictureError``.
    package var content: [UInt8] {
        get throws(PictureError) {
            let (correction, mask) = try format
            let blocks = try BlockPlan(version, correction).blocks(of: codewords(mask))
            var bits = Bits(blocks.flatMap { $0 })
            guard bits.take(4) == 0b0100 else { throw .foreign("this symbol is not in byte mode") }
            let count = bits.take(version < 10 ? 8 : 16)
            guard count <= bits.left / 8 else { throw .damaged("the content is longer than the symbol") }
            return (0..<count).map { _ in UInt8(bits.take(8)) }
        }
    }

    /// §7.9: the level and the mask, beside the finder pattern in the upper left corner.
    private var format: (Correction, mask: Int) {
        get throws(PictureError) {
            let places = (0..<6).map { ($0, 8) } + [(7, 8), (8, 8), (8, 7)] + (0..<6).map { (8, 5 - $0) }
            let read = places.enumerated().reduce(0) { word, place in
                let (row, column) = place.element
                return word | (isDark(row: row, column: column) ? 1 : 0) << place.offset
            }
            let word = read ^ 0b101_0100_0001_0010
            guard Self.remainder(of: word) == 0 else { throw .damaged("its format information is wrong") }
            let levels: [Correction] = [.medium, .low, .high, .quartile]
            return (levels[word >> 13], word >> 10 & 7)
        }
    }

    /// Of the BCH code (15, 5), §C.2.
    private static func remainder(of word: Int) -> Int {
        (10..<15).reversed().reduce(word) { rest, bit in
            rest >> bit & 1 == 1 ? rest ^ 0b101_0011_0111 << (bit - 10) : rest
        }
    }

    /// §7.7.3: two columns at a time from the right, upwards and downwards in turn, the mask taken away.
    private func codewords(_ mask: Int) -> [UInt8] {
        var (words, word, count) = ([UInt8](), 0, 0)
        for pair in stride(from: size - 1, to: 0, by: -2) {
            // The column of the timing pattern is left out.
            let right = pair <= 6 ? pair - 1 : pair
            let isUpwards = (right + 1) & 2 == 0
            for step in 0..<size {
                let row = isUpwards ? size - 1 - step : step
                for column in [right, right - 1] where !isFunction(row, column) {
                    let bit = isDark(row: row, column: column) != Self.isMasked(mask, row, column)
                    word = word << 1 | (bit ? 1 : 0)
                    count += 1
                    if count % 8 == 0 { words.append(UInt8(word & 0xFF)) }
                }
            }
        }
        return words
    }

    /// §7.8.2, table 10.
    private static func isMasked(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        let product = row * column
        return switch mask {
        case 0: (row + column) % 2 == 0
        case 1: row % 2 == 0
        case 2: column % 3 == 0
        case 3: (row + column) % 3 == 0
        case 4: (row / 2 + column / 3) % 2 == 0
        case 5: product % 2 + product % 3 == 0
        case 6: (product % 2 + product % 3) % 2 == 0
        default: ((row + column) % 2 + product % 3) % 2 == 0
        }
    }

    /// Whether a module is no part of the content: finder, timing and alignment patterns, format and version.
    private func isFunction(_ row: Int, _ column: Int) -> Bool {
        let end = size - 9
        if row == 6 || column == 6 { return true }
        if row < 9, column < 9 || column > end { return true }
        if row > end, column < 9 { return true }
        // §7.10: the version stands twice from version 7 on.
        if version >= 7, row < 6 && column > size - 12 || column < 6 && row > size - 12 { return true }
        let centres = alignment
        guard let y = centres.first(where: { abs($0 - row) <= 2 }),
            let x = centres.first(where: { abs($0 - column) <= 2 })
        else { return false }
        let last = size - 7
        return !((x == 6 && y == 6) || (x == 6 && y == last) || (x == last && y == 6))
    }

    /// Annex E: rows and columns of the centres of alignment patterns.
    private var alignment: [Int] {
        guard version > 1 else { return [] }
        let count = version / 7 + 2
        let step = version == 32 ? 26 : (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        return [6] + (0..<count - 1).reversed().map { size - 7 - $0 * step }
    }
}

/// Bits from the highest of the first byte on.
private struct Bits {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var left: Int { bytes.count * 8 - at }

    /// Zeros behind the end.
    mutating func take(_ count: Int) -> Int {
        var number = 0
        for _ in 0..<count {
            let bit = left > 0 ? bytes[at / 8] >> UInt8(7 - at % 8) & 1 : 0
            number = number << 1 | Int(bit)
            at += 1
        }
        return number
    }
}
