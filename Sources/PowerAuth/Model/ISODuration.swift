/// A span of time as ISO 8601 writes it: `PT2S`, `P30D`, `PT1M0.5S`. Years and months have no length and are not known here.
struct ISODuration: Sendable, Equatable {
    let text: String
    let seconds: Double

    /// - Returns: nil for another text, and for one without any part.
    init?(_ text: String) {
        let shape =
            /P(?:([0-9]{1,6})D)?(?:T(?:([0-9]{1,6})H)?(?:([0-9]{1,6})M)?(?:([0-9]{1,9}(?:\.[0-9]{1,9})?)S)?)?/
        guard let match = text.wholeMatch(of: shape), text != "P", !text.hasSuffix("T") else { return nil }
        let parts = [match.1, match.2, match.3, match.4].map { $0.flatMap { Double($0) } ?? 0 }
        self.text = text
        seconds = parts[0] * 86_400 + parts[1] * 3600 + parts[2] * 60 + parts[3]
    }
}
