/// The words of a text that tell what numbers are, once they have told about each other: “postal code”, “code promo”.
struct CodeLabels {
    private(set) var labels: [TextScan.Label]
    private let scan: TextScan

    init(_ scan: TextScan) { (self.scan, labels) = (scan, scan.labels) }

    mutating func spoil() {
        for index in labels.indices where !labels[index].kinds.isDisjoint(with: [.code, .secret]) {
            if isSpoiled(index) {
                labels[index].kinds.subtract([.code, .secret, .act])
                labels[index].kinds.insert(.other)
            }
        }
    }

    private func isSpoiled(_ index: Int) -> Bool {
        let label = labels[index]
        if index > 0 {
            let before = labels[index - 1]
            if before.kinds.contains(.spoiler), isNextTo(before, label) { return true }
        }
        guard index + 1 < labels.count else { return false }
        var next = labels[index + 1]
        guard isNextTo(label, next) else { return false }
        if next.kinds.contains(.link), !next.kinds.contains(.spoiler), index + 2 < labels.count,
            isNextTo(next, labels[index + 2])
        {
            next = labels[index + 2]
        }
        return next.kinds.contains(.spoiler) && next.kinds.isDisjoint(with: .code)
    }

    /// Without a word or a mark between them.
    private func isNextTo(_ one: TextScan.Label, _ other: TextScan.Label) -> Bool {
        one.end == other.place.at && one.place.clause == other.place.clause
            && scan.bytes[one.range.upperBound..<other.range.lowerBound].allSatisfy {
                $0 == 0x20 || $0 == 0x2D || $0 >= 0x80 || $0 == 0x27
            }
    }
}
