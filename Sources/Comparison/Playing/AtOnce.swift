import Essentials

/// Which requests were under way at the same time as one that changes something: the recording does not tell which of them the service took first.
struct AtOnce {
    /// Entries of a recording that are looked at before one.
    private static let reach = 50
    private var others: [Int: [Exchange]] = [:]

    init(_ exchanges: [Exchange]) {
        for (index, exchange) in exchanges.enumerated() {
            for other in exchanges[..<index].suffix(Self.reach)
            where (!other.isRead || !exchange.isRead) && other.overlaps(exchange) {
                if !other.isRead { others[exchange.number, default: []].append(other) }
                if !exchange.isRead { others[other.number, default: []].append(exchange) }
            }
        }
    }

    /// Those of them that change something.
    func others(of exchange: Exchange) -> [Exchange] { others[exchange.number] ?? [] }
}

extension Exchange {
    fileprivate func overlaps(_ other: Exchange) -> Bool {
        // The clock of a world may stand, that of its computer does not.
        if let taken = takenAt, let others = other.takenAt {
            return taken < others + other.seconds && others < taken + seconds
        }
        return startedAt < other.startedAt.adding(seconds: other.seconds)
            && other.startedAt < startedAt.adding(seconds: seconds)
    }
}
