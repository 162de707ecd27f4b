import Essentials
import HTTP

/// Requests that the program itself made, such as those of the sample app to the platforms while it answers its client: an answer is
/// made with them here again. Callbacks are none, since nobody waits for them.
enum InnerCalls {
    /// Seconds by which two times of a recording may be wrong: they have milliseconds.
    private static let slack = 0.002

    static func numbers(in exchanges: [Exchange], _ bases: Bases, _ book: RouteBook) -> Set<Int> {
        let calls = exchanges.compactMap { exchange -> (exchange: Exchange, caller: String)? in
            guard let caller = exchange.caller, let mount = bases.place(of: exchange.request.url)?.mount,
                mount != RouteBook.sampleApp
            else { return nil }
            return (exchange, caller)
        }
        guard !calls.isEmpty else { return [] }
        var answered: [String: [Exchange]] = [:]
        for exchange in exchanges {
            guard let mount = bases.place(of: exchange.request.url)?.mount else { continue }
            answered[book.platforms[mount] ?? mount, default: []].append(exchange)
        }
        return Set(
            calls.filter { call in
                answered[call.caller, default: []].contains { encloses($0, call.exchange) }
            }.map(\.exchange.number))
    }

    private static func encloses(_ outer: Exchange, _ inner: Exchange) -> Bool {
        guard outer.number != inner.number else { return false }
        // The clock of a world may stand, that of its computer does not.
        if let taken = outer.takenAt, let inners = inner.takenAt {
            return taken <= inners && taken + outer.seconds + slack >= inners + inner.seconds
        }
        return outer.startedAt <= inner.startedAt.adding(seconds: slack)
            && outer.startedAt.adding(seconds: outer.seconds + slack)
                >= inner.startedAt.adding(seconds: inner.seconds)
    }
}
