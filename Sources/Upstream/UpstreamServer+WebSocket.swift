import Essentials
package import HTTP
import HTTPClient

extension UpstreamServer {
    /// Opens a web socket to the service for a client that wants one; any other answer of the service is an answer like all others. The calling
    /// thread waits for the answer, and for no message.
    ///
    /// - Throws: ``UpstreamFailure``, or ``HTTP/WebSocketRefused`` for a request that is no proper handshake, which nobody else sees.
    package func tunnel(
        _ request: Request, _ question: Passage.Question, through passage: Passage, waits: UpstreamWaits
    ) throws -> Answer {
        _ = try request.webSocket(received: { _, _ in })
        guard let place = means.gate.enter() else {
            throw UpstreamFailure.busy(upstream.url, means.gate.most)
        }
        guard let opening = means.tunnels.enter() else {
            throw UpstreamFailure.tooManySockets(upstream.url, means.tunnels.most)
        }
        waits.begin()
        defer { waits.end() }
        let end = ContinuousClock.now + .seconds(Self.seconds)
        switch try opened(question) {
        case .refused(let stream):
            return try answer(of: stream, to: question, through: passage, place, waits, until: end)
        case .agreed(let socket):
            let tunnel = Tunnel(socket, to: upstream.url, opening, waits)
            var response = try request.webSocket(
                protocols: socket.subprotocol.map { [$0] } ?? [], opened: { tunnel.open($0) },
                received: { tunnel.pass($0, from: $1) }, closed: { close, _ in tunnel.end(close) })
            for field in passage.ours(socket.headers).fields
            where !field.name.asciiLowercased.hasPrefix("sec-websocket-") {
                response.headers.add(field.name, field.value)
            }
            return Answer(response: response, remark: nil)
        }
    }

    private func opened(_ question: Passage.Question) throws(UpstreamFailure) -> HTTPClient.WebSocketAnswer {
        do {
            return try client.webSocket(question.url, headers: question.headers, mask: means.mask)
        } catch {
            throw .of(error, upstream.url)
        }
    }
}
