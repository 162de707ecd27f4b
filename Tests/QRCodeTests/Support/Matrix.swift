import QRCode

/// Modules as rows of columns, true where dark; what every rendering is turned back into.
typealias Matrix = [[Bool]]

extension QRCode {
    var matrix: Matrix {
        (0..<size).map { row in (0..<size).map { column in isDark(row: row, column: column) } }
    }
}

extension Matrix {
    /// With a light border of `margin` modules on each side, as a rendering has it.
    func bordered(by margin: Int) -> Matrix {
        let side = [Bool](repeating: false, count: margin)
        let blank = Matrix(repeating: .init(repeating: false, count: count + 2 * margin), count: margin)
        return blank + map { side + $0 + side } + blank
    }

    /// From a drawing: `["##.", "..."]`.
    init(drawn rows: [String]) {
        self = rows.map { $0.map { $0 == "#" } }
    }

    /// The part with its top left corner at `row`, `column`.
    func part(row: Int, column: Int, height: Int, width: Int) -> Matrix {
        self[row..<row + height].map { [Bool]($0[column..<column + width]) }
    }

    /// The modules at `places`, the first as the highest bit.
    func number(at places: [(row: Int, column: Int)]) -> Int {
        places.reduce(0) { $0 << 1 | (self[$1.row][$1.column] ? 1 : 0) }
    }
}
