/// How the code words of a symbol are shared out among blocks, each with code words of its own for the correction of errors.
///
/// Source: ISO/IEC 18004:2015 §7.5.1, table 9, and §7.6.
struct BlockPlan {
    /// Code words of all blocks.
    let total: Int
    let blockCount: Int
    /// Of each block, for the correction.
    let checkCount: Int

    init(_ version: Int, _ correction: QRCode.Correction) {
        total = Self.codewords(version)
        let level = QRCode.Correction.allCases.firstIndex(of: correction) ?? 0
        blockCount = Self.blockCounts[level][version - 1]
        checkCount = Self.checkCounts[level][version - 1]
    }

    /// What is left of the modules besides patterns, format and version, in whole bytes.
    private static func codewords(_ version: Int) -> Int {
        var modules = (16 * version + 128) * version + 64
        if version >= 2 {
            let count = version / 7 + 2
            modules -= (25 * count - 10) * count - 55
            if version >= 7 { modules -= 36 }
        }
        return modules / 8
    }

    /// The data of the blocks, one after the other; the code words came in turns.
    ///
    /// - Throws: ``PictureError/damaged(_:)`` for a block with an error.
    func blocks(of codewords: [UInt8]) throws(PictureError) -> [[UInt8]] {
        guard codewords.count == total else { throw .damaged("it has \(codewords.count) code words") }
        let short = total / blockCount - checkCount
        let shortBlocks = blockCount - total % blockCount
        var blocks = [[UInt8]](repeating: [], count: blockCount)
        var rest = codewords[...]
        for index in 0...short {
            for block in 0..<blockCount where index < short || block >= shortBlocks {
                blocks[block].append(rest.removeFirst())
            }
        }
        for _ in 0..<checkCount {
            for block in 0..<blockCount { blocks[block].append(rest.removeFirst()) }
        }
        guard blocks.allSatisfy({ Self.isWhole($0, checkCount) }) else {
            throw .damaged("a block of it does not agree with its check words")
        }
        return blocks.map { Array($0.dropLast(checkCount)) }
    }

    /// §7.5.2: a block is a multiple of the generator, whose roots are the powers of 2 below `count`, in the field of 256 elements.
    private static func isWhole(_ block: [UInt8], _ count: Int) -> Bool {
        var root: UInt8 = 1
        for _ in 0..<count {
            if block.reduce(UInt8(0), { product($0, root) ^ $1 }) != 0 { return false }
            root = product(root, 2)
        }
        return true
    }

    /// Modulo x⁸ + x⁴ + x³ + x² + 1.
    private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
        (0..<8).reversed().reduce(UInt8(0)) { sum, bit in
            let doubled = sum << 1 ^ (sum & 0x80 == 0 ? 0 : 0x1D)
            return other >> UInt8(bit) & 1 == 1 ? doubled ^ one : doubled
        }
    }

    /// By level L, M, Q, H and version.
    private static let checkCounts: [[Int]] = [
        [
            7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26,
            28,
            30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
        [
            10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28,
            28,
            28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        ],
        [
            13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30,
            30,
            28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
        [
            17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30,
            30,
            30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
        ],
    ]

    private static let blockCounts: [[Int]] = [
        [
            1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15,
            16,
            17, 18, 19, 19, 20, 21, 22, 24, 25,
        ],
        [
            1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26,
            28,
            29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
        ],
        [
            1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34,
            35,
            38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
        ],
        [
            1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40,
            42,
            45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
        ],
    ]
}
