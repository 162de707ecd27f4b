import QRCode
import Testing

/// Turns the renderings back into modules.
enum Renderings {
    /// The picture that an SVG element shows: its whole path must be rectangles one module high, none on top of another.
    static func matrix(ofSVG svg: String) throws -> Matrix {
        let box = try #require(svg.firstMatch(of: /viewBox="0 0 (\d+) (\d+)"/))
        let side = try #require(Int(box.1))
        #expect(box.1 == box.2)
        let path = try #require(svg.firstMatch(of: /<path fill="#000" d="([^"]*)"\/>/)).1
        var matrix = Matrix(repeating: .init(repeating: false, count: side), count: side)
        var length = 0
        for rectangle in path.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
            length += rectangle.0.utf8.count
            #expect(rectangle.3 == rectangle.4)
            let (x, y) = (try #require(Int(rectangle.1)), try #require(Int(rectangle.2)))
            for column in x..<x + (try #require(Int(rectangle.3))) {
                try #require(y < side && column < side)
                #expect(!matrix[y][column])
                matrix[y][column] = true
            }
        }
        #expect(length == path.utf8.count)
        return matrix
    }

    /// The cells that half blocks paint, two rows for each line of text; true where a block paints.
    static func paint(ofBlocks text: String) throws -> Matrix {
        #expect(text.hasSuffix("\n"))
        return try text.split(separator: "\n").flatMap { line -> Matrix in
            let cells = try line.map { try #require(halves[$0]) }
            return [cells.map(\.top), cells.map(\.bottom)]
        }
    }

    private static let halves: [Character: (top: Bool, bottom: Bool)] = [
        "█": (true, true), "▀": (true, false), "▄": (false, true), " ": (false, false),
    ]
}
