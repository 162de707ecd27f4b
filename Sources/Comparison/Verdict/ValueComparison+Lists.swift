// Arrays: of words, of entries that have a name, and of others.
extension ValueComparison {
    mutating func compareElements(
        _ recorded: [SpelledJSON], _ ours: [SpelledJSON], _ second: [SpelledJSON]?, at place: String
    ) {
        let inner = place + "[]"
        let areSets = Self.areWords(recorded) && Self.areWords(ours)
        if !areSets,
            recorded.isEmpty != ours.isEmpty || recorded.count != ours.count && second?.count == ours.count
        {
            add(
                .value, place, recorded: "\(recorded.count) entries", ours: "\(ours.count) entries",
                "\(place) has \(Self.entries(recorded.count)) in the recording, \(Self.entries(ours.count)) from Understudy"
            )
        }
        if areSets { return compareSets(recorded, ours, second, at: place) }
        for (there, index) in paired(recorded, ours, at: place) {
            compare(recorded[there], ours[index], Self.element(index, of: second), at: inner)
        }
    }

    private static func element(_ index: Int, of list: [SpelledJSON]?) -> SpelledJSON? {
        list.flatMap { index < $0.count ? $0[index] : nil }
    }

    private static func entries(_ count: Int) -> String {
        count == 1 ? "one entry" : count == 0 ? "no entry" : "\(count) entries"
    }

    private static func areWords(_ list: [SpelledJSON]) -> Bool {
        !list.isEmpty && list.allSatisfy { $0.string.map { Shape($0) == .word } ?? false }
    }

    /// Words in an array are a set: clients look whether one is in it.
    private mutating func compareSets(
        _ recorded: [SpelledJSON], _ ours: [SpelledJSON], _ second: [SpelledJSON]?, at place: String
    ) {
        let (there, here, other) = (Set(recorded), Set(ours), second.map { Set($0) })
        for value in recorded where !here.contains(value) {
            add(
                .word, place, recorded: value.text, ours: SpelledJSON.array(ours).text,
                "\(place) has \(value.text) in the recording, and not from Understudy")
        }
        for value in ours where !there.contains(value) && other?.contains(value) != false {
            add(
                .word, place, recorded: SpelledJSON.array(recorded).text, ours: value.text,
                "\(place) has \(value.text) from Understudy, and not in the recording")
        }
    }

    /// Which is held beside which: entries that have a name beside that of their name, others beside that of their place.
    private mutating func paired(
        _ recorded: [SpelledJSON], _ ours: [SpelledJSON], at place: String
    ) -> [(recorded: Int, ours: Int)] {
        let (there, here) = (recorded.compactMap(Self.key), ours.compactMap(Self.key))
        guard there.count == recorded.count, here.count == ours.count, Set(there) == Set(here),
            Set(there).count == there.count, there.count > 1
        else { return zip(recorded.indices, ours.indices).map { ($0, $1) } }
        if there != here {
            add(
                .order, place, recorded: there.joined(separator: ", "), ours: here.joined(separator: ", "),
                "\(place) is in another order: \(there.joined(separator: ", ")) in the recording, \(here.joined(separator: ", ")) from Understudy"
            )
        }
        let places = Dictionary(zip(here, here.indices)) { first, _ in first }
        return there.enumerated().compactMap { index, key in places[key].map { (index, $0) } }
    }

    private static func key(_ entry: SpelledJSON) -> String? {
        ["name", "type", "id", "kid", "key"].lazy.compactMap { entry[$0]?.string }.first {
            Shape($0) == .word
        }
    }
}
