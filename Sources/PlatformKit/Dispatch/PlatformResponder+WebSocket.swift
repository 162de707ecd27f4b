import HTTP
import Upstream

extension PlatformResponder {
    /// Has the journal tell of the web socket that an answer opens, where it does.
    func follow<P: Platform>(_: P.Type, _ response: inout Response, to request: Request, in world: World) {
        guard case .webSocket(var upgrade) = response.body else { return }
        let watch = WebSocketWatch(
            responder: self, world: world, platform: P.name, correlation: request.id,
            target: world.kept(target: request.target),
            subjects: { (P.self as? any TracesMessages.Type)?.subjects(of: $0) ?? [] },
            passed: world.passing.map { passing in
                WebSocketWatch.Passed(upstream: passing.server.upstream.url, mask: world.mask())
            })
        let (opened, received, closed) = (upgrade.opened, upgrade.received, upgrade.closed)
        upgrade.opened = { sender in
            watch.begin(sender)
            try watch.run { try opened(watch.telling(sender)) }
        }
        upgrade.received = { message, sender in
            watch.tell(.received, message)
            try watch.run { try received(message, watch.telling(sender)) }
        }
        upgrade.closed = { close, sender in
            watch.end(close)
            closed(close, sender)
        }
        response.body = .webSocket(upgrade)
    }
}
