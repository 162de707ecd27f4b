import Essentials
import HTTP

/// What of a recorded request has another value in a world of ours, because an answer gave another one there.
struct Substitution {
    /// Recorded values and ours.
    private var known: [String: String] = [:]
    /// Recorded values that our answer did not give, and the number of the exchange where it should have.
    private var lost: [String: Int] = [:]
    /// Codes that people type, by what is left of them in any spelling.
    private var typed: [String: String] = [:]
    /// Codes of our outbox that took the place of recorded ones, and how often.
    private(set) var taken: [String: Int] = [:]
    private let addresses: [(recorded: String, ours: String)]

    /// Characters of a value that is looked for inside of others.
    private static let shortest = 6
    private static let depthLimit = 4

    init(addresses: [(recorded: String, ours: String)]) { self.addresses = addresses }

    /// Scheme and host of ours in the place of those at which a recorded service stood; nil for others.
    func ours(origin: String) -> String? {
        addresses.first { WebAddress($0.recorded)?.origin == origin.asciiLowercased }
            .flatMap { WebAddress($0.ours)?.origin }
    }

    /// Learns what one answer gave there and here.
    mutating func learn(recorded: GivenValues, ours: GivenValues, from number: Int) {
        let here = Dictionary(ours.values.map { ($0.place, $0.value) }) { first, _ in first }
        let listed = ours.listed
        for (place, value) in recorded.values {
            // A list in another order has the same words, which are not each other's.
            if let list = GivenValues.list(of: place), listed[list]?.contains(value) == true { continue }
            guard let mine = here[place] else {
                if known[value] == nil, Shape(value).isOpaque { lost[value] = number }
                continue
            }
            lost[value] = nil
            if mine != value || known[value] != nil {
                known[value] = mine
                if let code = TypedCode.printed(value) { typed[code] = mine }
            }
        }
    }

    /// A code that was right there, and the one that is right here: it may be sent once more.
    mutating func learn(code recorded: String, _ ours: String) {
        known[recorded] = ours
        taken[ours, default: 0] += 1
    }

    /// What the client makes, such as the id of a credential: there and here.
    mutating func learn(made recorded: String, _ ours: String) { known[recorded] = ours }

    /// The same for an answer that is no answer to compare: whatever it gave first is lost.
    mutating func lose(_ recorded: GivenValues, from number: Int) {
        for (_, value) in recorded.values where known[value] == nil && Shape(value).isOpaque {
            lost[value] = number
        }
    }

    /// The text as it is here. - Parameter follows: becomes the number of the exchange whose answer is missing.
    func apply(_ text: String, follows: inout Int?) -> String { apply(text, level: 0, depth: 0, &follows) }

    /// A number of JSON as it is here: ids of databases are numbers.
    func applyNumber(_ text: String) -> String {
        guard text.utf8.count >= 4, let ours = known[text], Double(ours) != nil else { return text }
        return ours
    }

    /// What divides values in a text, from sentences down to parts of a token.
    private static let dividers: [Set<Character>] = [
        [
            " ", "\n", "\r", "\t", "\"", "'", ",", ";", "<", ">", "(", ")", "[", "]", "{", "}", "&", "?", "|",
            "\\",
        ],
        ["="], ["/", ":", "@", "#", "!"], ["."], ["~", "$", "*"],
    ]

    private func apply(_ text: String, level: Int, depth: Int, _ follows: inout Int?) -> String {
        if level == 0 || text.utf8.count >= Self.shortest {
            if let ours = known[text], text.utf8.count >= 4 { return ours }
            if let number = lost[text] {
                follows = follows ?? number
                return text
            }
        }
        if level == 0, let code = TypedCode.bare(text), let ours = typed[code] { return ours }
        if level == 0, let moved = moved(text, depth, &follows) { return moved }
        guard text.utf8.count >= Self.shortest else { return text }
        if let packed = unpacked(text, depth, &follows) { return packed }
        guard level < Self.dividers.count else { return text }
        return parts(text, level: level).map { part in
            part.isDivider ? part.text : apply(part.text, level: level + 1, depth: depth, &follows)
        }.joined()
    }

    /// An address of the service as the one of ours, with what is behind it.
    private func moved(_ text: String, _ depth: Int, _ follows: inout Int?) -> String? {
        guard text.contains("://"), depth < Self.depthLimit else { return nil }
        for (recorded, ours) in addresses {
            guard let range = text.firstRange(of: recorded) else { continue }
            let rest = text[range.upperBound...]
            guard rest.first.map({ !$0.isLetter && !$0.isNumber && $0 != "." && $0 != "-" }) ?? true else {
                continue
            }
            return apply(String(text[..<range.lowerBound]), level: 1, depth: depth + 1, &follows) + ours
                + apply(String(rest), level: 0, depth: depth + 1, &follows)
        }
        return nil
    }

    /// Percent-encoding and Base64 are looked into, and put back as they were; nil where nothing in them changes.
    private func unpacked(_ text: String, _ depth: Int, _ follows: inout Int?) -> String? {
        guard depth < Self.depthLimit else { return nil }
        if text.contains("%") {
            let inner = text[...].percentDecoded
            let ours = apply(inner, level: 0, depth: depth + 1, &follows)
            if ours != inner { return ours.percentEncoded }
        } else if let packed = PackedText.unpacked(text) {
            let ours = apply(packed.text, level: 0, depth: depth + 1, &follows)
            if ours != packed.text { return packed.packed(ours) }
        }
        return nil
    }

    private func parts(_ text: String, level: Int) -> [(text: String, isDivider: Bool)] {
        let dividers = Self.dividers[level]
        guard text.contains(where: dividers.contains) else { return [(text, false)] }
        var (parts, start): ([(text: String, isDivider: Bool)], String.Index) = ([], text.startIndex)
        for index in text.indices where dividers.contains(text[index]) {
            if start < index { parts.append((String(text[start..<index]), false)) }
            parts.append((String(text[index]), true))
            start = text.index(after: index)
        }
        if start < text.endIndex { parts.append((String(text[start...]), false)) }
        return parts
    }
}
