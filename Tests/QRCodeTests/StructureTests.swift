import QRCode
import Testing

/// The fixed parts of a symbol, as ISO/IEC 18004 §6.3 lays them out.
@Suite struct StructureTests {
    static let versions = [1, 2, 6, 7, 9, 14, 21, 40]

    @Test(arguments: 1...40)
    func `a symbol of version v has 17 + 4v modules a side`(_ version: Int) throws {
        let symbol = try Sample.symbol(version: version, .medium)

        #expect(symbol.version == version)
        #expect(symbol.size == 21 + 4 * (version - 1))
    }

    @Test(arguments: versions)
    func `three corners have a finder pattern and its light separator`(_ version: Int) throws {
        let symbol = try Sample.symbol(version: version, .medium).matrix
        let far = symbol.count - 8

        let finder = Matrix(drawn: [
            "#######.", "#.....#.", "#.###.#.", "#.###.#.", "#.###.#.", "#.....#.", "#######.", "........",
        ])
        let toTheLeft = finder.map { Array($0.reversed()) }
        #expect(symbol.part(row: 0, column: 0, height: 8, width: 8) == finder)
        #expect(symbol.part(row: 0, column: far, height: 8, width: 8) == toTheLeft)
        #expect(symbol.part(row: far, column: 0, height: 8, width: 8) == finder.reversed())
    }

    @Test(arguments: versions)
    func `timing patterns alternate between the finders, beginning dark`(_ version: Int) throws {
        let symbol = try Sample.symbol(version: version, .medium).matrix

        for place in 8..<symbol.count - 8 {
            #expect(symbol[6][place] == place.isMultiple(of: 2))
            #expect(symbol[place][6] == place.isMultiple(of: 2))
        }
    }

    // Annex E: centres of the alignment patterns; none stands where a finder is.
    @Test(arguments: [
        (2, [6, 18]), (7, [6, 22, 38]), (9, [6, 26, 46]), (14, [6, 26, 46, 66]),
        (40, [6, 30, 58, 86, 114, 142, 170]),
    ])
    func `alignment patterns stand where the standard puts them`(_ version: Int, _ centres: [Int]) throws {
        let symbol = try Sample.symbol(version: version, .medium).matrix
        let last = symbol.count - 7

        let pattern = Matrix(drawn: ["#####", "#...#", "#.#.#", "#...#", "#####"])
        for row in centres {
            for column in centres where ![[6, 6], [6, last], [last, 6]].contains([row, column]) {
                #expect(symbol.part(row: row - 2, column: column - 2, height: 5, width: 5) == pattern)
            }
        }
    }

    @Test func `everything outside of the symbol is light`() throws {
        let symbol = try QRCode(text: "edge")

        #expect(symbol.isDark(row: 0, column: 0))
        for (row, column) in [(-1, 0), (0, -1), (21, 0), (0, 21), (Int.min, Int.max)] {
            #expect(!symbol.isDark(row: row, column: column))
        }
    }
}
