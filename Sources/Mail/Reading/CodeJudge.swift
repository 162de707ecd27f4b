/// Holds each shape of a text against the words around it.
struct CodeJudge {
    struct Verdict {
        let shape: CodeShape
        var points = 0
        var reasons: [CodeDecision.Reason] = []
        /// The word that speaks for it.
        var label: Int?
    }

    let scan: TextScan
    let labels: [TextScan.Label]
    let shapes: [CodeShape]
    /// What the words of the whole mail are.
    private let hint: Lexicon.Kinds

    /// - Parameter hint: what the subject says.
    init(_ scan: TextScan, _ hint: Lexicon.Kinds) {
        var tidy = CodeLabels(scan)
        tidy.spoil()
        (self.scan, labels) = (scan, tidy.labels)
        self.hint = labels.reduce(into: hint) { $0.formUnion($1.kinds.intersection(.hints)) }
        shapes = self.hint.isEmpty && !scan.bytes.contains(UInt8(ascii: "@")) ? [] : ShapeReader(scan).shapes
    }

    var mayHaveCodes: Bool { !shapes.isEmpty }

    func verdicts() -> [Verdict] {
        var verdicts: [Verdict] = []
        var next = 0
        for (index, shape) in shapes.enumerated() {
            while next < labels.count, labels[next].range.lowerBound < shape.range.lowerBound { next += 1 }
            verdicts.append(verdict(of: shape, number: index, next: next))
        }
        share(&verdicts)
        return verdicts.filter { !($0.shape.form == .letters && $0.points < CodeFinder.least) }
    }

    /// A word names one number: who shares it with a better one, and looks different, is none.
    private func share(_ verdicts: inout [Verdict]) {
        var best: [Int: Int] = [:]
        for (index, verdict) in verdicts.enumerated() where verdict.points >= CodeFinder.least {
            guard let label = verdict.label else { continue }
            if let other = best[label], verdicts[other].points >= verdict.points { continue }
            best[label] = index
        }
        for index in verdicts.indices {
            guard let label = verdicts[index].label, let winner = best[label], winner != index else {
                continue
            }
            let (one, other) = (verdicts[winner].shape, verdicts[index].shape)
            if one.form != other.form || one.code.utf8.count != other.code.utf8.count {
                verdicts[index].points -= 40
            }
        }
    }

    // MARK: One

    private func verdict(of shape: CodeShape, number: Int, next: Int) -> Verdict {
        var verdict = Verdict(shape: shape)
        if let flaw = shape.flaw, !(flaw == .colour && isNamedRight(shape, next)) {
            return refused(verdict, flaw)
        }
        if hasUnit(shape, next) { return refused(verdict, .unit) }
        if shape.isBound { (verdict.points, verdict.reasons) = (120, [.bound]) }
        let left = before(shape, number, next)
        if case .other(let word) = left { return refused(verdict, .otherNumber(word)) }
        let right = behind(shape, number, next)
        if case .other(let word) = right, left.points < CodeFinder.least {
            return refused(verdict, .otherNumber(word))
        }
        for evidence in [left, right] {
            guard case .named(let label, let points, let reason) = evidence, points > verdict.points else {
                continue
            }
            (verdict.points, verdict.reasons, verdict.label) = (points, [reason], label)
        }
        weighAlone(&verdict)
        weighForm(&verdict)
        if verdict.points < CodeFinder.least, verdict.reasons.isEmpty { verdict.reasons = [.unnamed] }
        if verdict.points < CodeFinder.least, case .named? = verdict.reasons.first {
            verdict.reasons.append(.farFromName)
        }
        return verdict
    }

    private func refused(_ verdict: Verdict, _ reason: CodeDecision.Reason) -> Verdict {
        var verdict = verdict
        (verdict.points, verdict.reasons) = (0, [reason])
        return verdict
    }

    enum Evidence {
        case none
        case other(String)
        case named(Int, Int, CodeDecision.Reason)

        var points: Int { if case .named(_, let points, _) = self { points } else { 0 } }
    }

    func word(_ label: TextScan.Label) -> String {
        String(decoding: scan.bytes[label.range], as: UTF8.self)
    }

    func base(_ kinds: Lexicon.Kinds) -> Int {
        kinds.contains(.code) ? 100 : kinds.contains(.secret) ? 85 : 66
    }

    private func isNamedRight(_ shape: CodeShape, _ next: Int) -> Bool {
        guard next > 0 else { return false }
        let label = labels[next - 1]
        return label.kinds.contains(.code) && shape.place.at - label.end <= 2
            && label.place.sentence == shape.place.sentence
    }

    private func hasUnit(_ shape: CodeShape, _ next: Int) -> Bool {
        if next < labels.count, labels[next].kinds.contains(.unit),
            labels[next].range.lowerBound - shape.range.upperBound <= 3,
            labels[next].place.line == shape.place.line,
            isPlainGap(shape.range.upperBound..<labels[next].range.lowerBound)
        {
            return true
        }
        guard next > 0, labels[next - 1].kinds.contains(.unit) else { return false }
        let before = labels[next - 1]
        // Of the left only signs of currencies, which have three letters.
        return before.range.count == 3 && before.kinds == .unit
            && shape.range.lowerBound - before.range.upperBound <= 1
            && scan.bytes[before.range].allSatisfy { 0x41...0x5A ~= $0 }
    }

    private func isPlainGap(_ range: Range<Int>) -> Bool {
        scan.bytes[range].allSatisfy { $0 == 0x20 || $0 >= 0x80 }
    }

    /// A shape between two places takes the words before it.
    func isTaken(_ label: TextScan.Label, before number: Int) -> Bool {
        number > 0 && shapes[number - 1].range.lowerBound >= label.range.upperBound
            && shapes[number - 1].form != .letters
    }
}

// MARK: Form and place

extension CodeJudge {
    private func weighAlone(_ verdict: inout Verdict) {
        let shape = verdict.shape
        guard shape.isAlone, shape.form != .letters || verdict.points > 0 else { return }
        if verdict.points < 55, !hint.isDisjoint(with: [.code, .secret]),
            !shape.hasSmalls || shape.form != .mixed
        {
            verdict.points = 50
        } else if verdict.points < 30, !hint.isDisjoint(with: [.act, .enter]), shape.form == .digits {
            verdict.points = 25
        }
        guard verdict.points > 0 else { return }
        verdict.points += 25
        verdict.reasons.append(.alone)
    }

    private func weighForm(_ verdict: inout Verdict) {
        guard verdict.points > 0 else { return }
        let (shape, size) = (verdict.shape, verdict.shape.code.utf8.count)
        switch shape.form {
        case .digits:
            verdict.points += size == 6 ? 8 : size <= 8 ? 4 : 0
            if size == 10, shape.code.hasPrefix("0") { verdict.points -= 25 }
            if shape.isYear {
                verdict.points -= 45
                verdict.reasons.append(.isYear)
            }
        case .mixed: verdict.points -= shape.hasSmalls ? 15 : 5
        case .groups, .letters: break
        }
    }
}
