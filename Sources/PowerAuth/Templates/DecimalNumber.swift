/// A decimal number with exactly the digits that it came with.
struct DecimalNumber: Sendable, Equatable {
    /// Longer ones are no numbers here.
    static let digitLimit = 100

    let isNegative: Bool
    /// ASCII digits, at least one, the first not zero unless it is the only one.
    let whole: Substring
    /// ASCII digits behind the point; may be empty.
    let fraction: Substring

    /// An optional sign, digits with at most one point among them, at least one digit; no exponent.
    init?(_ text: String) {
        var rest = text[...]
        isNegative = rest.first == "-"
        if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
        let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? parts[1] : ""
        guard let whole = parts.first, 1...Self.digitLimit ~= whole.utf8.count + fraction.utf8.count,
            (whole.utf8.allSatisfy { 0x30...0x39 ~= $0 }), (fraction.utf8.allSatisfy { 0x30...0x39 ~= $0 })
        else { return nil }
        let significant = whole.drop { $0 == "0" }
        self.whole = significant.isEmpty ? "0" : significant
        self.fraction = fraction
    }

    /// As JSON spells it.
    var json: String {
        (isNegative ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
    }
}
