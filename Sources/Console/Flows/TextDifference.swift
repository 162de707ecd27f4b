/// Two texts, line by line: what they have in common, and what one of them has alone.
struct TextDifference {
    enum Side { case both, first, second }

    struct Line: Equatable {
        let side: Side
        let text: String
    }

    /// In the order of the texts; what the first has alone comes before what the second has in its place.
    let lines: [Line]

    init(_ first: String, _ second: String) {
        let old = first.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let new = second.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var (removed, inserted) = (Set<Int>(), Set<Int>())
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [Line] = []
        var (here, there) = (0, 0)
        while here < old.count || there < new.count {
            if removed.contains(here) {
                lines.append(Line(side: .first, text: old[here]))
                here += 1
            } else if inserted.contains(there) {
                lines.append(Line(side: .second, text: new[there]))
                there += 1
            } else {
                lines.append(Line(side: .both, text: old[here]))
                (here, there) = (here + 1, there + 1)
            }
        }
        self.lines = lines
    }
}
