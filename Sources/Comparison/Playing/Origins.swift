import Essentials
import HTTP

/// Where values that chance made come from in a recording: those that a request has first are of a time before it, or of somebody else.
struct Origins {
    /// What had a value first.
    private enum Source {
        case request
        /// Of an emulated service, and when it counts.
        case answer(Date)
        /// Of another one, by the number of the exchange.
        case elsewhere(Int)
    }

    private var sources: [String: Source] = [:]

    init(_ carried: [CarriedValues], _ bases: Bases) {
        for carried in carried {
            let exchange = carried.exchange
            let place = bases.place(of: exchange.request.url)
            let named = (place?.path ?? "").split(separator: "/").map(\.percentDecoded)
            for value in carried.asked.union(named) where sources[value] == nil { sources[value] = .request }
            for value in carried.answered where sources[value] == nil {
                sources[value] = place == nil ? .elsewhere(exchange.number) : .answer(exchange.playedAt)
            }
        }
    }

    /// Why the recorded service alone knew what a request is about: the recording does not tell of it before, and the world was not given it
    /// either. What is put may get its name from who puts it.
    ///
    /// - Parameter sent: as the world got it.
    func obstacle(_ exchange: Exchange, _ place: Bases.Place, sent: PlayedRequest) -> String? {
        let untold = Form(place.query ?? "").pairs.filter { isUntold($0.value) && sent.url.carries($0.value) }
            .map(\.name)
        let isNamed = place.path.split(separator: "/").map(\.percentDecoded).contains {
            isUntold($0) && sent.url.carries($0)
        }
        if exchange.request.method != "PUT", isNamed || untold.contains(where: Self.isOfID) {
            return "it is about something that is older than the recording, by the id in its address"
        }
        if untold.contains(where: Self.keys.contains) { return "its address has a key that no answer gave" }
        if let number = elsewhere(exchange) {
            return "it carries what another service told in the answer to request #\(number)"
        }
        return secret(exchange, sent: sent).map {
            "its “\($0)” is of something that is older than the recording, or not in it"
        }
    }

    /// When answers were made that gave what a request carries.
    func times(of exchange: Exchange) -> Set<Date> {
        Set(
            exchange.asked.compactMap { value in
                if case .answer(let time) = sources[value] { time } else { nil }
            })
    }

    /// Whether a parameter names a record of the service, such as `registrationId`; what clients are called is not told by answers.
    private static func isOfID(_ name: String) -> Bool {
        (name.hasSuffix("Id") || name.hasSuffix("_id")) && name != "client_id"
    }

    /// Parameters in which a service, and never a client, gives somebody the right to see a page.
    private static let keys: Set = ["key", "token"]

    private func isUntold(_ value: String) -> Bool {
        guard value.utf8.count >= 12, Shape(value).isOpaque else { return false }
        if case .answer = sources[value] { return false }
        return true
    }

    /// The number of the exchange; cookies are those of the service itself.
    private func elsewhere(_ exchange: Exchange) -> Int? {
        exchange.askedBesideCookies.compactMap { value in
            if case .elsewhere(let number) = sources[value] { number } else { nil }
        }.min()
    }

    /// Members of bodies in which services give what is theirs alone to make: RFC 6749 §4.1.3, §6; RFC 7662 §2.1; RFC 8628 §3.4; what a camera reads.
    private static let secrets: Set = [
        "token", "refresh_token", "code", "device_code", "subject_token", "activationtoken", "data",
    ]

    /// The name of such a member with a value that no answer gave.
    private func secret(_ exchange: Exchange, sent: PlayedRequest) -> String? {
        let content = exchange.request.content
        let members = (content.json?.members ?? []).compactMap { member in
            member.value.string.map { (name: member.name, value: $0) }
        }
        let body = String(decoding: sent.body, as: UTF8.self)
        return (content.fields.pairs + members).first { name, value in
            // Of what a camera reads, an answer may have told a part.
            Self.secrets.contains(name.asciiLowercased)
                && value.split(separator: ";").map(String.init).contains { isUntold($0) && body.carries($0) }
        }?.name
    }
}

extension String {
    /// Whether an address or a form has a value, as it is or percent-encoded.
    fileprivate func carries(_ value: String) -> Bool { contains(value) || contains(value.percentEncoded) }
}
