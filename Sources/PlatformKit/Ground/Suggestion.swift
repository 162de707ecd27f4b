/// Finds the word that was probably meant.
package enum Suggestion {
    /// The nearest of `words` to `typed`, when it is near: two slips in a longer word, one in a short one.
    package static func nearest(to typed: String, among words: [String]) -> String? {
        let slips = typed.count <= 4 ? 1 : 2
        let near = words.map { (word: $0, slips: distance(typed, $0)) }.filter { $0.slips <= slips }
        return near.min { $0.slips < $1.slips }?.word
            ?? words.first { typed.count >= 3 && $0.hasPrefix(typed) }
    }

    /// `; did you mean "x"?`, or nothing.
    package static func question(_ typed: String, among words: [String]) -> String {
        guard typed.utf8.count <= 64 else { return "" }
        return nearest(to: typed, among: words).map { "; did you mean “\($0)”?" } ?? ""
    }

    /// How many letters have to be inserted, removed, replaced or swapped with their neighbour (Damerau's count).
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for (i, letter) in left.enumerated() {
            var row = [i + 1]
            for (j, other) in right.enumerated() {
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
