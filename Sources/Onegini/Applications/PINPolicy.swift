import Essentials

/// What a PIN must look like. Source: Token Server documentation, topic “PIN policy”.
struct PINPolicy: Sendable, Equatable {
    /// 5 to 32.
    static let lengths = 5...32

    var length = 5
    /// How many equal digits may stand in a row: 2 lets `11` through and `111` not.
    var maxSimilarDigits = 2
    var allowsSequences = false
    var blocked: [String] = ["90210"]

    enum Violation: Error, Sendable, Equatable {
        case notDigits
        case length(expected: Int, found: Int)
        case blocked
        /// - Parameter step: from digit to digit.
        case sequence(step: Int)
        case similarDigits(limit: Int, found: Int)
    }

    /// What is wrong with a PIN; nil for one that is good.
    func violation(of pin: String) -> Violation? {
        let digits = pin.utf8.map { Int($0) - 0x30 }
        guard digits.count == length else { return .length(expected: length, found: digits.count) }
        guard digits.allSatisfy({ 0...9 ~= $0 }) else { return .notDigits }
        if blocked.contains(pin) { return .blocked }
        if !allowsSequences, let step = Self.step(of: digits) { return .sequence(step: step) }
        let run = Self.longestRun(in: digits)
        return run > maxSimilarDigits ? .similarDigits(limit: maxSimilarDigits, found: run) : nil
    }

    /// The difference between all neighbours when it is the same and not 0: `12345` has 1, `97531` has -2. There is no
    /// wrap-around from 9 to 0.
    private static func step(of digits: [Int]) -> Int? {
        let steps = Set(zip(digits.dropFirst(), digits).map { $0 - $1 })
        guard steps.count == 1, let step = steps.first, step != 0 else { return nil }
        return step
    }

    private static func longestRun(in digits: [Int]) -> Int {
        var (longest, run, last) = (0, 0, -1)
        for digit in digits {
            run = digit == last ? run + 1 : 1
            last = digit
            longest = max(longest, run)
        }
        return longest
    }
}

extension PINPolicy: Codable {
    enum CodingKeys: String, CodingKey {
        case length = "pin_length"
        case maxSimilarDigits = "max_similar_digits"
        case allowsSequences = "sequences_allowed"
        case blocked = "blocked_pins"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try values.read(.length, into: &length)
        try values.read(.maxSimilarDigits, into: &maxSimilarDigits)
        try values.read(.allowsSequences, into: &allowsSequences)
        try values.read(.blocked, into: &blocked)
    }

    /// As the wire has it.
    var json: JSONValue {
        [
            "pin_length": .integer(length), "max_similar_digits": .integer(maxSimilarDigits),
            "sequences_allowed": .boolean(allowsSequences), "blocked_pins": JSONValue(blocked),
        ]
    }
}
