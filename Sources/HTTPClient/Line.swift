import HTTP
import Sockets

/// A connection, as the exchange has it that uses it now.
struct Line {
    let socket: ClientSocket
    /// Whether other exchanges had it before, so that the server may have closed it meanwhile.
    let isUsed: Bool
    /// Where it waits for the next exchange; nil for a connection that serves a single one.
    let keeper: Keeper?

    struct Keeper {
        let kept: KeptConnections
        let place: KeptConnections.Place

        func line(within seconds: Double) -> Line? {
            kept.take(place, within: seconds).map { Line(socket: $0, isUsed: true, keeper: self) }
        }
    }

    func giveBack(after head: ResponseHead) {
        guard let keeper else { return }
        keeper.kept.keep(socket, keeper.place, seconds: head.keepAliveSeconds)
    }
}

extension Request.Method {
    /// Whether it does no harm to send such a request twice. Source: RFC 9110 §9.2.2.
    var isIdempotent: Bool { [.get, .head, .options, .put, .delete].contains(self) || rawValue == "TRACE" }
}

extension ResponseHead {
    /// How long the server waits for the next request. Source: RFC 2068 §19.7.1.1, which servers still send.
    var keepAliveSeconds: Double? {
        for item in headers.values(of: "Keep-Alive").flatMap({ $0.split(separator: ",") }) {
            let parts = item.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
            if parts.first == "timeout", let seconds = parts.last.flatMap({ Double($0) }) { return seconds }
        }
        return nil
    }
}
