import Essentials
import HTTP

/// Answers of a recording that are pictures, such as QR codes: what a camera read there, nobody reads here.
struct Pictures {
    /// By mount, the numbers of the first picture.
    private var first: [String: Int] = [:]
    /// Values that chance made, and the exchange in which each was seen first.
    private var seen: [String: Int] = [:]

    init(_ carried: [CarriedValues], _ bases: Bases) {
        let shown = carried.lazy.map(\.exchange).filter { Self.isPicture($0.response) }
        if shown.isEmpty { return }
        for exchange in shown {
            guard let mount = bases.place(of: exchange.request.url)?.mount else { continue }
            first[mount] = min(first[mount] ?? .max, exchange.number)
        }
        for carried in carried {
            for value in carried.answered where seen[value] == nil { seen[value] = carried.exchange.number }
        }
    }

    private static func isPicture(_ response: RecordedResponse) -> Bool {
        response.headers.mediaType.hasPrefix("image/")
            || String(decoding: response.body, as: UTF8.self).contains("data:image/")
    }

    /// Whether a request carries a value that no answer before it gave, and a picture of the service may have shown.
    func mayShow(what exchange: Exchange, _ mount: String) -> Bool {
        guard let picture = first[mount], picture < exchange.number else { return false }
        return exchange.asked.contains { value in seen[value].map { $0 >= exchange.number } ?? true }
    }
}
