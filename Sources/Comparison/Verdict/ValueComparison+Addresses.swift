import Essentials
import HTTP

extension ValueComparison {
    /// Host and path of what is not the service itself, and the names of parameters.
    mutating func compareAddresses(_ recorded: String, _ ours: String, _ second: String?, at place: String) {
        let (there, here) = (WebAddress(reference: recorded), WebAddress(reference: ours))
        if there.origin != here.origin
            || Self.pattern(there.path, here.path) != Self.pattern(here.path, there.path)
        {
            return addValue(place, recorded, ours)
        }
        if let before = there.fragment, let now = here.fragment, !before.contains("="), !now.contains("=") {
            compare(
                before, now, second.flatMap { WebAddress(reference: $0).fragment }, at: place + " fragment",
                name: "")
            return compareParameters(
                (there, here, second.map(WebAddress.init(reference:))), ["parameter"], at: place)
        }
        compareParameters(
            (there, here, second.map(WebAddress.init(reference:))), ["parameter", "fragment"], at: place)
    }

    private mutating func compareParameters(
        _ addresses: (recorded: WebAddress, ours: WebAddress, second: WebAddress?), _ words: [String],
        at place: String
    ) {
        let (there, here, mine) = addresses
        for (word, queries) in [
            ("parameter", (there.query, here.query)), ("fragment", (there.fragment, here.fragment)),
        ]
        where words.contains(word) {
            let (before, now) = (Form(queries.0 ?? ""), Form(queries.1 ?? ""))
            let other = mine.map { Form((word == "parameter" ? $0.query : $0.fragment) ?? "") }
            var counts: [String: Int] = [:]
            for (name, value) in before.pairs {
                // Of several with one name, each has its own.
                let number = counts[name, default: 0]
                counts[name] = number + 1
                guard let own = now.values(of: name).dropFirst(number).first else {
                    add(
                        .missing, "\(place) \(word) \(name)", recorded: value,
                        "\(place) lacks the \(word) “\(name)” that the recording has (\(Difference.short(value)))"
                    )
                    continue
                }
                let others = other?.values(of: name).dropFirst(number).first
                compare(value, own, others, at: "\(place) \(word) \(name)", name: name.asciiLowercased)
            }
            for (name, value) in now.pairs where before[name] == nil {
                add(
                    .more, "\(place) \(word) \(name)", ours: value,
                    "\(place) has the \(word) “\(name)” (\(Difference.short(value))), which the recording has not"
                )
            }
        }
    }

    /// The path with a star for each part that chance made on both sides.
    private static func pattern(_ path: String, _ other: String) -> String {
        let others = other.split(separator: "/", omittingEmptySubsequences: false)
        return path.split(separator: "/", omittingEmptySubsequences: false).enumerated().map { index, part in
            let isMade =
                index < others.count && part != others[index] && Shape(String(part)).isOpaque
                && Shape(String(others[index])).isOpaque
            return isMade ? "*" : String(part)
        }.joined(separator: "/")
    }
}
