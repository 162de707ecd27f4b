extension ValueComparison {
    /// Members that say something to people.
    private static let proseNames: Set = [
        "message", "error_description", "description", "title", "detail", "details", "text", "display_name",
        "displayname",
        "label", "hint", "subject", "instance", "error_uri", "cause",
    ]
    /// Members that say something to programs.
    private static let wordNames: Set = ["error", "code", "status", "state"]

    /// - Parameter second: nil where the other run has no text there.
    mutating func compare(
        _ recorded: String, _ ours: String, _ second: String?, at place: String, name: String
    ) {
        let (there, here) = (plain(recorded), plainOurs(ours))
        if there == here { return }
        let (shape, mine) = (Shape(there), Shape(here))
        if let token = WebToken.parts(of: there), let own = WebToken.parts(of: here) {
            if tokens.insert(recorded).inserted {
                compareTokens(token, own, second.flatMap { WebToken.parts(of: plainOurs($0)) }, at: place)
            }
            return
        }
        if Self.proseNames.contains(name) || shape == .prose && mine == .prose { return }
        if shape == .address, mine == .address {
            return compareAddresses(there, here, second.map(plainOurs), at: place)
        }
        let isMeant = second.map { plainOurs($0) == here } ?? false
        // What says to programs what happened is no text for people.
        if mine == .word, shape == .word || shape == .prose && Self.wordNames.contains(name) {
            if isMeant {
                add(
                    .word, place, recorded: there, ours: here,
                    "\(place) is “\(Difference.short(there))” in the recording, Understudy says “\(Difference.short(here))”"
                )
            }
            return
        }
        let other = second.map { Shape(plainOurs($0)) } ?? mine
        guard shape != mine, shape != other, !Self.areAlike(shape, mine) else { return }
        add(
            .form, place, recorded: there, ours: here,
            "\(place) is \(shape.words) in the recording (\(Difference.short(there))), \(mine.words) from Understudy (\(Difference.short(here)))"
        )
    }

    /// Whether two kinds of text may be one: a short value made by chance can look like a word, a name like a text.
    private static func areAlike(_ one: Shape, _ other: Shape) -> Bool {
        switch (one, other) {
        case (.time(let zone, let hasFraction), .time(let otherZone, let otherHas)):
            // Some products leave zeros at the end of a fraction out, and then all of it.
            zone == otherZone && (!hasFraction || otherHas)
        case (.opaque, .word), (.word, .opaque), (.opaque, .digits), (.digits, .opaque), (.word, .prose),
            (.prose, .word),
            (.prose, .email), (.email, .prose), (.email, .word), (.word, .email), (.opaque, .prose),
            (.prose, .opaque),
            (.opaque, .email), (.email, .opaque):
            true
        default: false
        }
    }
}
