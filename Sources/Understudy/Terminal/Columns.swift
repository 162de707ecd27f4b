/// Lines whose cells stand below one another.
enum Columns {
    /// - Parameters:
    ///   - rows: cells from left to right; the last one of a row may be of any length.
    ///   - indent: spaces before each row.
    static func lines(_ rows: [[String]], indent: Int = 0, gap: Int = 2) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { $0.count > column + 1 ? width($0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                column == row.count - 1
                    ? cell : cell + String(repeating: " ", count: max(0, widths[column] - width(cell)) + gap)
            }
            let line = String(repeating: " ", count: indent) + cells.joined()
            // As bytes: turned round letter by letter, the banner was a fifth of a start.
            let kept = line.utf8.lastIndex { $0 != UInt8(ascii: " ") }
            return kept.map { String(Substring(line.utf8[...$0])) } ?? ""
        }
    }

    /// Characters of `text`: of ASCII as many as bytes, which are not looked at letter by letter.
    private static func width(_ text: String) -> Int {
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.count
    }

    /// Words of `text` in lines of at most `width` characters; a longer word has a line of its own.
    static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// `text` without what would move the cursor or end the line: mail subjects come from anywhere.
    static func plain(_ text: String) -> String {
        // 0xC2 begins the control characters beyond ASCII, and others.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 }) { return text }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map {
                    $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "\u{FFFD}" : $0
                }))
    }
}
