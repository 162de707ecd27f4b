/// The language that a device asks for. Source: RFC 9110 §12.5.4.
enum AcceptLanguage {
    static let standard = "en"

    /// Primary subtag, in lower case, of the language with the highest weight, the first of equals; English without one.
    static func primary(of header: String?) -> String {
        guard let header else { return standard }
        var best: (language: String, weight: Double) = (standard, 0)
        for range in header.split(separator: ",").prefix(50) {
            let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let tag = parts.first?.split(separator: "-").first,
                1...8 ~= tag.utf8.count, tag.utf8.allSatisfy({ 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 })
            else { continue }
            let weight =
                parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if weight > best.weight { best = (tag.lowercased(), weight) }
        }
        return best.language
    }
}
