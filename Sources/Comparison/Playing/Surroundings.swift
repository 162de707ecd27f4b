import Essentials
import HTTP

/// What happened around a recording and is not in it: somebody changed the service, did what a request waited for, or answered it.
struct Surroundings {
    private struct Told {
        let number: Int
        let recorded: [UInt8]
        let ours: [UInt8]
    }

    /// What the service told of itself last, by address, where that agreed.
    private var told: [String: Told] = [:]

    /// Seconds after which an answer of ours was waited for, and did not just take long.
    private static let patience = 2.0

    /// An answer that agrees.
    mutating func note(_ exchange: Exchange, _ place: Bases.Place, ours: Stage.Answer) {
        guard Self.isOwnWord(exchange, place) else { return }
        told[place.mount + place.path] = Told(
            number: exchange.number, recorded: exchange.response.body, ours: ours.body)
    }

    /// Why an answer that differs says nothing, without a full stop; nil where it does.
    ///
    /// - Parameter unanswered: who was to be asked meanwhile, and gave no answer.
    func reason(
        _ exchange: Exchange, _ place: Bases.Place, ours: Stage.Answer, unanswered: String?
    ) -> String? {
        if let unanswered {
            return
                "it needs an answer of \(unanswered), which is not called here unless the fixtures name it in calls.only"
        }
        if exchange.request.method == "GET", ours.seconds >= Self.patience {
            return "it waits for what nobody in the recording does"
        }
        guard Self.isOwnWord(exchange, place), let last = told[place.mount + place.path],
            last.ours == ours.body, last.recorded != exchange.response.body
        else { return nil }
        return
            "it tells what the service itself changed after request #\(last.number), which nothing in the recording asks for"
    }

    /// Why an answer that counts failed calls of a web hook says nothing, without a full stop. Source: Hanko's API, “Webhooks”.
    static func reason(of differences: [Difference], _ place: Bases.Place) -> String? {
        guard place.path.split(separator: "/").contains("webhooks"),
            differences.allSatisfy({ $0.kind == .value && countsCalls($0.place) })
        else { return nil }
        return
            "it tells how web hooks were answered, which are not called here unless the fixtures name them in calls.only"
    }

    private static func countsCalls(_ place: String) -> Bool {
        ["failures", "enabled"].contains { place.hasSuffix($0) }
    }

    /// Whether an answer tells the service's keys or its configuration, to anybody: no client's request changes them.
    ///
    /// Sources: RFC 7517 §5; RFC 8615.
    private static func isOwnWord(_ exchange: Exchange, _ place: Bases.Place) -> Bool {
        let request = exchange.request
        guard request.method == "GET", place.query == nil, exchange.response.status == 200,
            request.headers["Authorization"] == nil, request.headers["Cookie"] == nil
        else { return false }
        if place.path.contains("/.well-known/") { return true }
        let name = (place.path.split(separator: "/").last ?? "").asciiLowercased
        return ["settings", "config", "configuration"].contains { name.hasSuffix($0) }
            || isKeySet(exchange.response.body)
    }

    private static func isKeySet(_ body: [UInt8]) -> Bool {
        guard let keys = SpelledJSON(body)?["keys"]?.array, !keys.isEmpty else { return false }
        return keys.allSatisfy { $0["kty"]?.string != nil }
    }
}
