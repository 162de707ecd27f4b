import Essentials
import HTTP

/// The order in which a service took requests, as far as its answers tell it.
///
/// What one request makes may be known to others before that one has its answer: a push brings a phone at once. And of the same request, sent
/// twice at once, the second may be refused before the first has its answer.
struct PlayOrder {
    /// Requests that are looked at behind one that was on its way.
    private static let reach = 50
    /// Without ``Exchange/takenAt``, seconds by which a start may be wrong that was worked out from an end and a length, both in milliseconds.
    private static let doubt = 0.002
    /// Bytes of a text that nobody knows by accident.
    private static let idLength = 16...200
    /// Such texts of one exchange.
    private static let idLimit = 200

    private var sorted: [(exchange: Exchange, turn: Int, ids: Set<Int>)] = []
    /// The turn in which each text was seen first, by its hash.
    private var seen: [Int: Int] = [:]

    /// - Parameter exchanges: in the order of their answers.
    static func sorted(_ exchanges: [Exchange]) -> [Exchange] {
        let isPlain = exchanges.indices.allSatisfy { index in
            let exchange = exchanges[index]
            return exchange.isRead
                || !exchanges[..<index].suffix(reach).contains {
                    wasUnderWay(exchange, with: $0) || isTwin(exchange, of: $0)
                }
        }
        if isPlain { return exchanges }
        var order = PlayOrder()
        for exchange in exchanges { order.add(exchange) }
        return order.sorted.map(\.exchange)
    }

    /// Whether one that was answered before `exchange` came while that was surely on its way.
    private static func wasUnderWay(_ exchange: Exchange, with other: Exchange) -> Bool {
        if let taken = exchange.takenAt, let others = other.takenAt { return taken < others }
        return exchange.startedAt.adding(seconds: doubt) <= other.startedAt
            && other.playedAt <= exchange.playedAt
    }

    /// Whether `other` was refused for what `exchange` did meanwhile.
    private static func isTwin(_ exchange: Exchange, of other: Exchange) -> Bool {
        guard exchange.response.status < 400, other.response.status >= 400,
            exchange.request.method == other.request.method, exchange.request.url == other.request.url,
            exchange.request.body == other.request.body
        else { return false }
        if let taken = exchange.takenAt, let others = other.takenAt { return taken < others + other.seconds }
        return exchange.startedAt.adding(seconds: doubt) <= other.startedAt.adding(seconds: other.seconds)
    }

    /// Puts it before its twin, or before the first of those that came and went meanwhile, and that knew what its answer tells for the first time.
    private mutating func add(_ exchange: Exchange) {
        let (turn, told) = (sorted.count, Self.ids(in: [exchange.response.body]))
        let asked = Self.ids(in: [Array(exchange.request.url.utf8), exchange.request.body])
        var place = sorted.endIndex
        if !exchange.isRead {
            let latest = sorted.indices.suffix(Self.reach)
            let meanwhile = latest.filter { Self.wasUnderWay(exchange, with: sorted[$0].exchange) }
            // Where the clock of a world stands still, it tells nothing.
            let isTold =
                exchange.takenAt != nil
                || meanwhile.contains { sorted[$0].exchange.playedAt < exchange.playedAt }
            let turns = isTold ? Set(meanwhile.map { sorted[$0].turn }) : []
            let own = told.subtracting(asked).filter { seen[$0].map(turns.contains) ?? false }
            let twin = latest.first { Self.isTwin(exchange, of: sorted[$0].exchange) }
            // What the service called by itself meanwhile, such as an address that waits for a result, it called for this one.
            let caused = meanwhile.first { sorted[$0].exchange.caller != nil }
            let told = meanwhile.first { !sorted[$0].ids.isDisjoint(with: own) }
            place = twin ?? [caused, told].compactMap(\.self).min() ?? place
        }
        let ids = told.union(asked)
        for id in ids where seen[id] == nil { seen[id] = turn }
        sorted.insert((exchange, turn, ids), at: place)
    }

    /// Hashes of the texts that chance made.
    private static func ids(in texts: [[UInt8]]) -> Set<Int> {
        var ids: Set<Int> = []
        for text in texts {
            for word in text.split(whereSeparator: { !$0.isUnreserved }) where idLength.contains(word.count) {
                if ids.count == idLimit { return ids }
                let word = String(decoding: word, as: UTF8.self)
                if Shape(word).isOpaque { ids.insert(word.hashValue) }
            }
        }
        return ids
    }
}
