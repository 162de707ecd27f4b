extension ValueComparison {
    /// Header and claims; how long it lasts is a value too.
    mutating func compareTokens(
        _ recorded: (header: SpelledJSON, claims: SpelledJSON),
        _ ours: (header: SpelledJSON, claims: SpelledJSON),
        _ second: (header: SpelledJSON, claims: SpelledJSON)?, at place: String
    ) {
        var inner = ValueComparison(plain: plain, plainOurs: plainOurs)
        inner.compare(recorded.header, ours.header, second?.header, at: "header")
        inner.compare(recorded.claims, ours.claims, second?.claims, at: "claim")
        if let there = Self.lifetime(recorded.claims), let here = Self.lifetime(ours.claims),
            abs(there - here) > 2
        {
            inner.add(
                .value, "claim exp", recorded: "\(Int(there)) s", ours: "\(Int(here)) s",
                "claim exp lies \(Int(there)) s behind iat in the recording, \(Int(here)) s from Understudy")
        }
        for difference in inner.differences {
            add(
                .claim, "\(place) \(difference.place)", recorded: difference.recorded, ours: difference.ours,
                "\(place): in the token, \(difference.sentence)")
        }
    }

    private static func lifetime(_ claims: SpelledJSON) -> Double? {
        guard let end = claims["exp"]?.number, let start = claims["iat"]?.number, abs(end - start) < 1e10
        else { return nil }
        return end - start
    }
}
