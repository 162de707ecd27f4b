import QRCode
import Testing

@Suite struct TerminalTests {
    @Test(arguments: [1, 9], [0, 2, 3])
    func `without colours, blocks paint the dark modules on a light background`(
        _ version: Int, _ quietZone: Int
    ) throws {
        let symbol = try Sample.symbol(version: version, .medium)

        let text = symbol.terminal(quietZone: quietZone, usesColour: false, background: .light)
        let shown = try Renderings.paint(ofBlocks: text)
        #expect(shown == padded(symbol.matrix.bordered(by: quietZone)))
    }

    @Test(arguments: [1, 9], [0, 2, 3])
    func `without colours, blocks paint the light modules on a dark background`(
        _ version: Int, _ quietZone: Int
    ) throws {
        let symbol = try Sample.symbol(version: version, .medium)

        let text = symbol.terminal(quietZone: quietZone, usesColour: false, background: .dark)
        let shown = try Renderings.paint(ofBlocks: text).map { $0.map { !$0 } }
        #expect(shown == padded(symbol.matrix.bordered(by: quietZone)))
    }

    // ECMA-48 §8.3.117; 38;5 and 48;5 choose from the 256 colours, of which 16 is black and 231 white.
    @Test func `with colours, every line is black on white and leaves nothing behind`() throws {
        let symbol = try QRCode(text: "colours")

        let plain = symbol.terminal(usesColour: false, background: .light)
        let lines = plain.split(separator: "\n").map { "\u{1B}[38;5;16;48;5;231m\($0)\u{1B}[0m\n" }
        #expect(symbol.terminal() == lines.joined())
    }

    @Test func `the background does not matter to colours`() throws {
        let symbol = try QRCode(text: "colours")

        #expect(symbol.terminal(background: .dark) == symbol.terminal(background: .light))
    }

    @Test func `the quiet zone has two modules unless told otherwise`() throws {
        let symbol = try QRCode(text: "quiet")

        let shown = try Renderings.paint(ofBlocks: symbol.terminal(usesColour: false, background: .light))
        #expect(shown == padded(symbol.matrix.bordered(by: 2)))
    }

    /// A symbol has an odd number of rows, lines of text show an even one: the last is light.
    private func padded(_ matrix: Matrix) -> Matrix {
        matrix + [[Bool](repeating: false, count: matrix.count)]
    }
}
