import Essentials
import HTTP

/// Where values that chance made come from in a recording: those that a request has first are of a time before it.
struct Origins {
    /// Whether an answer gave a value before a request had it.
    private var isGiven: [String: Bool] = [:]

    init(_ exchanges: [Exchange]) {
        for exchange in exchanges {
            for value in exchange.asked where isGiven[value] == nil { isGiven[value] = false }
            for value in exchange.answered where isGiven[value] == nil { isGiven[value] = true }
        }
    }

    /// Why the recorded service alone knew what an address names: the recording does not tell of it before, and the world was not given
    /// it either. What is put may get its name from who puts it.
    ///
    /// - Parameter sent: the address in the world.
    func obstacle(_ exchange: Exchange, _ place: Bases.Place, sent: String) -> String? {
        let untold = (place.query ?? "").split(separator: "&").filter { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && isUntold(Form.decode(parts[1])) && sent.contains(pair)
        }.map { String($0.prefix { $0 != "=" }) }
        let isNamed = place.path.split(separator: "/").contains {
            isUntold($0.percentDecoded) && sent.contains("/" + $0)
        }
        if exchange.request.method != "PUT", isNamed || untold.contains(where: Self.isOfID) {
            return "it is about something that is older than the recording, by the id in its address"
        }
        return untold.contains(where: Self.keys.contains) ? "its address has a key that no answer gave" : nil
    }

    /// Whether a parameter names a record of the service, such as `registrationId`; what clients are called is not told by answers.
    private static func isOfID(_ name: String) -> Bool {
        (name.hasSuffix("Id") || name.hasSuffix("_id")) && name != "client_id"
    }

    /// Parameters in which a service, and never a client, gives somebody the right to see a page.
    private static let keys: Set = ["key", "token"]

    private func isUntold(_ value: String) -> Bool {
        value.utf8.count >= 12 && Shape(value).isOpaque && isGiven[value] != true
    }
}
