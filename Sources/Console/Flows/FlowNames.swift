import Essentials
import HTTP
import PlatformKit
import Synchronization

/// What a request names: in its path, its query, its body or its tokens. It never changes, and each look at the flows asks thousands of
/// requests for it, so it is kept with the request.
final class FlowNames: Sendable {
    /// Characters of an id from which on naming it is no accident, and to which a text can be one.
    static let idLength = 8...200

    /// Texts in path and query that could be ids.
    let places: [String]
    /// The same of a JSON body, three levels deep.
    let texts: [String]
    let users: [String]

    /// - Parameter exchange: kept, or asked now.
    static func of(_ exchange: JournalEntry.Exchange) -> FlowNames {
        exchange.derived.withLock { kept in
            if let names = kept as? FlowNames { return names }
            let names = FlowNames(exchange)
            kept = names
            return names
        }
    }

    private init(_ exchange: JournalEntry.Exchange) {
        let target = exchange.target.split(separator: "?", maxSplits: 1).map(String.init)
        let query = target.count > 1 ? target[1] : nil
        let named =
            (target.first ?? "").split(separator: "/").map(\.percentDecoded)
            + Form(query ?? "").pairs.map(\.value)
        places = named.filter(Self.isID)
        guard exchange.requestBody.isWhole else {
            (texts, users) = ([], [])
            return
        }
        let request = Request(
            Request.Method(rawValue: exchange.method), target.first ?? "/", query: query,
            headers: exchange.requestHeaders, body: exchange.requestBody.bytes)
        let json = RequestNames.json(of: request)
        users = RequestNames(request, json: json).users
            .filter { $0.utf8.count <= Self.idLength.upperBound }
        texts = json.map { Self.texts(in: $0, depth: 3) } ?? []
    }

    private static func isID(_ text: String) -> Bool { idLength.contains(text.utf8.count) }

    private static func texts(in value: JSONValue, depth: Int) -> [String] {
        guard depth > 0, let members = value.object else { return [] }
        return members.flatMap { _, member in
            member.string.map { isID($0) ? [$0] : [] } ?? texts(in: member, depth: depth - 1)
        }
    }
}
