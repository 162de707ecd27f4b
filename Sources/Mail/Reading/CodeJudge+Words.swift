/// The words before and behind a shape.
extension CodeJudge {
    func before(_ shape: CodeShape, _ number: Int, _ next: Int) -> Evidence {
        var index = next - 1
        while index >= 0, shape.place.at - labels[index].end <= 60 {
            let label = labels[index]
            let distance = shape.place.at - label.end
            if label.kinds.isDisjoint(with: Lexicon.Kinds.anyName) {
                index -= 1
                continue
            }
            if !label.kinds.isDisjoint(with: [.code, .secret]) {
                return named(index, distance, before: true, shape)
            }
            if label.kinds.contains(.other) {
                if names(label, shape, distance), !isTaken(label, before: number) {
                    if let absorbed = absorbing(index, shape, number) { return absorbed }
                    return .other(word(label))
                }
            } else if !label.kinds.isDisjoint(with: [.act, .enter]), distance <= 24,
                label.place.sentence == shape.place.sentence || shape.isAlone
            {
                // “The voucher number is to be entered as 123456”.
                if let other = otherBefore(index, shape, number) { return .other(word(other)) }
                // A word for a code near by is better.
                if let code = codeBefore(index, shape, number), code.points >= CodeFinder.least {
                    return code
                }
                return named(index, distance, before: true, shape)
            }
            index -= 1
        }
        return .none
    }

    /// Whether another number's word reaches so far.
    private func names(_ label: TextScan.Label, _ shape: CodeShape, _ distance: Int) -> Bool {
        if label.place.sentence == shape.place.sentence, label.place.line == shape.place.line {
            return distance <= 14
        }
        // A heading, and the number on the next line.
        return distance <= 10 && label.place.sentence == shape.place.sentence
            && shape.isAlone
            && !scan.bytes[label.range.upperBound..<shape.range.lowerBound].contains { $0.isAlphanumeric }
    }

    /// “The code for your account is 123456”: the account tells whose code it is.
    private func absorbing(_ index: Int, _ shape: CodeShape, _ number: Int) -> Evidence? {
        let other = labels[index]
        let between = scan.bytes[other.range.upperBound..<shape.range.lowerBound]
        let isDirect =
            !between.contains(UInt8(ascii: ":")) && shape.place.at - other.end <= 0
            && !between.contains(.lineFeed)
        if isDirect || between.contains(UInt8(ascii: "#")) { return nil }
        var before = index - 1
        while before >= 0, other.place.at - labels[before].end <= 10 {
            let label = labels[before]
            if label.kinds.contains(.number) || isTaken(label, before: number) { return nil }
            if label.kinds.contains(.code), label.place.clause == other.place.clause {
                let number = labels[(before + 1)..<min(labels.count, index + 3)].contains {
                    $0.kinds.contains(.number) && $0.range.upperBound <= shape.range.lowerBound
                }
                return number ? nil : named(before, shape.place.at - label.end + 10, before: true, shape)
            }
            before -= 1
        }
        return nil
    }

    private func codeBefore(_ from: Int, _ shape: CodeShape, _ number: Int) -> Evidence? {
        var index = from - 1
        while index >= 0, shape.place.at - labels[index].end <= 40 {
            let label = labels[index]
            if label.kinds.contains(.code) {
                return isTaken(label, before: number)
                    ? nil : named(index, shape.place.at - label.end, before: true, shape)
            }
            if label.kinds.contains(.other) && label.place.sentence == shape.place.sentence { return nil }
            index -= 1
        }
        return nil
    }

    private func otherBefore(_ act: Int, _ shape: CodeShape, _ number: Int) -> TextScan.Label? {
        guard act > 0, labels[act - 1].kinds.contains(.other),
            labels[act - 1].kinds.isDisjoint(with: [.code, .secret])
        else { return nil }
        let other = labels[act - 1]
        let isNear = labels[act].place.at - other.end <= 4 && other.place.clause == shape.place.clause
        return isNear && !isTaken(other, before: number) ? other : nil
    }

    func behind(_ shape: CodeShape, _ number: Int, _ next: Int) -> Evidence {
        var (index, other) = (next, nil as TextScan.Label?)
        while index < labels.count, labels[index].place.at - shape.end <= 40 {
            let label = labels[index]
            let isNear = label.place.sentence == shape.place.sentence || shape.isAlone
            guard isNear else { break }
            // What stands behind the next number is about that one.
            if number + 1 < shapes.count, shapes[number + 1].range.upperBound <= label.range.lowerBound,
                shapes[number + 1].form != .letters
            {
                break
            }
            if !label.kinds.isDisjoint(with: [.code, .secret])
                || label.kinds.contains(.act) && !label.kinds.contains(.other)
            {
                if let other, label.place.at - other.end > 6 { return .other(word(other)) }
                let isOwn = nextIs(after: index, number)
                if !isOwn { return named(index, label.place.at - shape.end, before: false, shape) }
            } else if label.kinds.contains(.other), other == nil, label.place.at - shape.end <= 8,
                label.place.line == shape.place.line
            {
                other = label
            }
            index += 1
        }
        return other.map { .other(word($0)) } ?? .none
    }

    /// Whether the word has a number of its own right behind it.
    private func nextIs(after index: Int, _ number: Int) -> Bool {
        guard number + 1 < shapes.count else { return false }
        let next = shapes[number + 1]
        return next.flaw == nil && next.form != .letters && next.place.at >= labels[index].end
            && next.place.at - labels[index].end <= 6
            && next.place.sentence == labels[index].place.sentence
    }

    private func named(_ index: Int, _ distance: Int, before: Bool, _ shape: CodeShape) -> Evidence {
        let label = labels[index]
        let reason = CodeDecision.Reason.named(word(label), before: before, words: max(0, distance) / 2)
        var points = base(label.kinds) - 2 * max(0, distance) - (before ? 0 : 15)
        if label.place.sentence != shape.place.sentence, !shape.isAlone,
            !(shape.form == .digits && shape.code.utf8.count == 6)
        {
            points -= 25
        }
        if label.kinds.isDisjoint(with: [.code, .secret]) {
            if shape.form == .mixed { points -= 30 }
            if before, label.place.clause != shape.place.clause { points -= 10 }
        }
        if index > 0, labels[index - 1].kinds.contains(.old), labels[index - 1].end == label.place.at {
            points -= 40
        }
        if shape.isDoubtful || shape.form == .letters, !isDirect(label, distance, before, shape) {
            points = 0
        }
        return .named(index, points, reason)
    }

    /// What is hardly a code counts right behind its word alone: “code: DUSG”, “the code is dusg12”.
    private func isDirect(_ label: TextScan.Label, _ distance: Int, _ before: Bool, _ shape: CodeShape)
        -> Bool
    {
        guard label.kinds.contains(.code) || label.kinds.contains(.secret) && shape.form != .letters else {
            return false
        }
        if shape.isAlone, distance <= 60 { return shape.form != .letters || distance <= 40 }
        if shape.form == .letters, shape.code.utf8.contains(UInt8(ascii: "-")) { return distance <= 20 }
        guard before, label.place.sentence == shape.place.sentence else { return false }
        return distance <= (shape.form == .letters ? 2 : 8) && !isShouted(shape)
    }

    /// Whether its whole line is in capitals.
    private func isShouted(_ shape: CodeShape) -> Bool {
        guard shape.form == .letters else { return false }
        let from = max(0, shape.range.lowerBound - 60)
        let around =
            scan.bytes[from..<shape.range.lowerBound]
            + scan.bytes[shape.range.upperBound..<min(scan.bytes.count, shape.range.upperBound + 60)]
        return !around.contains { 0x61...0x7A ~= $0 || $0 >= 0x80 }
    }
}
