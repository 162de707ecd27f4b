/// Finds the code to type in a mail of which nobody said where it stands.
///
/// Whatever is written like a code (see ``CodeShape``) is held against the words around it: those that name codes, nearer ones first and those before
/// it rather than those behind it, and those that name other numbers. What has ``least`` points is a code; the one with the most is the mail's.
package struct CodeFinder: Sendable {
    /// Points of a code.
    package static let least = 45
    /// Points at which nothing better is looked for.
    private static let sure = 80
    private static let mostDecisions = 100

    /// Of all that is written like a code, in the order of the mail.
    package private(set) var decisions: [CodeDecision] = []
    package private(set) var code: String?

    /// - Parameters: `isWhole` looks at the HTML, too, when the text has a code already.
    package init(subject: String, text: String?, html: String?, isWhole: Bool = false) {
        let heading = TextScan(subject)
        let body = text.map { TextScan($0) }
        read(heading, .subject, heading.pieces.isEmpty ? [] : body?.hint ?? [])
        if let body { read(body, .text, heading.hint) }
        let best = decisions.map(\.score).max() ?? 0
        if let html, isWhole || best < Self.sure { read(TextScan(html), .html, heading.hint) }
        code = Self.first(decisions)
    }

    /// The surest, the first of equals; the text before the HTML.
    private static func first(_ decisions: [CodeDecision]) -> String? {
        var best: CodeDecision?
        for decision in decisions where decision.isCode && decision.score > best?.score ?? 0 {
            best = decision
        }
        return best?.code
    }

    private mutating func read(_ scan: TextScan, _ part: CodeDecision.Part, _ hint: Lexicon.Kinds) {
        guard !scan.pieces.isEmpty, decisions.count < Self.mostDecisions else { return }
        let judge = CodeJudge(scan, hint)
        guard judge.mayHaveCodes else { return }
        for verdict in judge.verdicts().prefix(Self.mostDecisions - decisions.count) {
            decisions.append(
                CodeDecision(
                    code: verdict.shape.code, part: part, context: scan.context(verdict.shape.range),
                    isCode: verdict.points >= Self.least,
                    score: verdict.points, reasons: verdict.reasons))
        }
    }
}

extension TextScan {
    /// What its words tell about another text.
    var hint: Lexicon.Kinds {
        var tidy = CodeLabels(self)
        tidy.spoil()
        return tidy.labels.reduce(into: []) { $0.formUnion($1.kinds.intersection(.hints)) }
    }

    /// Some words around `range`, on one line.
    func context(_ range: Range<Int>) -> String {
        let (most, from) = (60, max(0, range.lowerBound - 60))
        var start = from
        // Whole words, whole characters.
        if start > 0 { start = bytes[start..<range.lowerBound].firstIndex { $0 <= 0x20 } ?? range.lowerBound }
        var end = min(bytes.count, range.upperBound + most)
        if end < bytes.count {
            end = bytes[range.upperBound..<end].lastIndex { $0 <= 0x20 } ?? range.upperBound
        }
        return String(
            decoding: Array(bytes[start..<end].split { $0 <= 0x20 }.joined(separator: [0x20])), as: UTF8.self)
    }
}
