import Essentials

/// What was played, from the first on of which the last word is not said: an answer that differs, while others were on their way.
///
/// Which of several requests at the same time a service took first, a recording does not tell.
struct Held {
    private var played: [Played] = []
    /// By place in the list, how many more requests an answer is asked for again after.
    private var open: [Int: Int] = [:]

    /// Requests that may have been taken before one that was made earlier.
    private static let patience = 3

    var count: Int { played.count }

    subscript(_ index: Int) -> Played {
        get { played[index] }
        set {
            played[index] = newValue
            open[index] = nil
        }
    }

    mutating func add(_ one: Played) {
        if case .differs = one.finding.verdict, one.exchange.isRead,
            one.answer?.status == one.exchange.response.status
        {
            open[played.count] = Self.patience
        }
        played.append(one)
    }

    /// Those to ask again, after what was played last.
    mutating func again(after exchange: Exchange) -> [Int] {
        for (index, left) in open where index < played.count - 1 {
            let isOver = played[index].exchange.end < exchange.startedAt
            open[index] = isOver || left == 0 ? nil : left - 1
        }
        return exchange.isRead ? [] : open.keys.filter { $0 < played.count - 1 }.sorted()
    }

    /// Those of which the last word is said, and that wait for none before them.
    mutating func taken() -> [Played] { open.isEmpty ? all() : [] }

    mutating func all() -> [Played] {
        defer { (played, open) = ([], [:]) }
        return played
    }
}

extension Exchange {
    /// Whether it changes nothing. Source: RFC 9110 §9.2.1.
    var isRead: Bool { ["GET", "HEAD", "OPTIONS"].contains(request.method) }
    fileprivate var end: Date { startedAt.adding(seconds: seconds) }
}
