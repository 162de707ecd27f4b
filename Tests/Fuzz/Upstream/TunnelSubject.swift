import HTTP
import HTTPClient
import Sockets
import Synchronization
import Upstream

/// A web socket through a mount: frames of the client on one side, those of a hostile service on the other, over real connections.
struct TunnelSubject: Subject {
    static let name = "tunnel"
    static let memoryMiB: Int? = 300
    // Each case has two connections and two threads.
    static let batch = 16

    /// Seconds for one case; it takes a millisecond.
    private static let patience = 20.0

    private let service: HostileService
    private let server: UpstreamServer
    private let passage: Passage

    init() {
        do {
            service = try HostileService()
            let upstream = try Upstream(url: "http://127.0.0.1:\(service.port)")
            server = UpstreamServer(
                upstream,
                UpstreamMeans(
                    gate: UpstreamGate(most: 4, mostBytes: 1 << 20),
                    tunnels: UpstreamGate(most: 4, mostBytes: 0),
                    kept: KeptConnections(time: KeptConnections.Time { _, _ in }),
                    mask: ClientWebSocket.Mask { 0x37FA_213D }))
            passage = Passage(
                ours: "http://localhost:8420/hanko", to: upstream, others: [], via: "understudy-fuzz")
        } catch {
            preconditionFailure("no port to listen on: \(error)")
        }
    }

    var corpus: [[UInt8]] {
        WebSocketSubject().corpus
            + WebSocketSubject.frames.map { opcode, payload, isFinal, _ in
                var bytes: [UInt8] = []
                WebSocketWriter.write(opcode, payload, isFinal: isFinal, into: &bytes)
                return bytes
            }
    }

    var dictionary: [[UInt8]] { WebSocketSubject().dictionary }

    func check(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation) {
        let cut = random.below(input.count + 1)
        let asked = Reading(Array(input[..<cut]), from: .client)
        let told = Reading(Array(input[cut...]), from: .server)
        let client = ClientEnd()
        do {
            let visit = try service.serve(Array(input[cut...]))
            defer { visit.end() }
            try pass(asked, client, visit)
            guard client.waitForEnd(seconds: Self.patience) else {
                throw Violation("the client is not told that the service has ended")
            }
            try check(client, told)
            client.closed(asked.close ?? WebSocketClose(.abnormal))
            try check(visit.received(seconds: Self.patience), asked)
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation("no web socket: \(error)")
        }
    }

    private func pass(_ asked: Reading, _ client: ClientEnd, _ visit: HostileService.Visit) throws {
        let request = Request(
            .get, "/hanko/ws",
            headers: [
                "Host": "localhost:8420", "Connection": "Upgrade", "Upgrade": "websocket",
                "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            ])
        let answer = try server.tunnel(
            request, passage.question(request, at: "/ws"), through: passage,
            waits: UpstreamWaits(begin: {}, end: {}))
        guard case .webSocket(let upgrade) = answer.response.body else {
            throw Violation("the service agreed, and the client gets \(answer.response.status)")
        }
        try client.open(upgrade)
        for message in asked.messages { try upgrade.received(message, client.sender) }
    }

    /// Each message of the service, and its end in its own words or as a broken gateway. What is told after it, nobody hears.
    private func check(_ client: ClientEnd, _ told: Reading) throws(Violation) {
        guard client.messages == told.messages else {
            throw Violation("the client gets \(client.messages), the service said \(told.messages)")
        }
        let closes = client.closes
        let expected = told.close?.code ?? told.fault?.code ?? .badGateway
        guard closes.first?.code == expected else {
            throw Violation("the client is told \(closes), the service ended with \(expected)")
        }
    }

    /// What reached the service is in masked frames, and says nothing that the client did not.
    private func check(_ bytes: [UInt8], _ asked: Reading) throws(Violation) {
        let heard = Reading(bytes, from: .client)
        guard heard.fault == nil, asked.messages.starts(with: heard.messages) else {
            throw Violation("the service gets \(heard), the client said \(asked.messages)")
        }
    }
}

/// All that a side says.
private struct Reading {
    private(set) var messages: [WebSocketMessage] = []
    private(set) var close: WebSocketClose?
    private(set) var fault: WebSocketFault?

    init(_ bytes: [UInt8], from side: WebSocketReader.Side) {
        var reader = WebSocketReader(from: side)
        bytes.withUnsafeBytes { reader.append($0) }
        do {
            while true {
                switch try reader.next() {
                case .needsMore: return
                case .message(let message): messages.append(message)
                case .close(let came): close = came
                case .ping, .pong: break
                }
            }
        } catch {
            fault = error
        }
    }
}

/// Our server's end of the client's web socket.
private final class ClientEnd: Sendable {
    private struct State {
        var messages: [WebSocketMessage] = []
        var closes: [WebSocketClose] = []
        var upgrade: WebSocketUpgrade?
    }

    private let state = Mutex(State())

    var messages: [WebSocketMessage] { state.withLock { $0.messages } }
    var closes: [WebSocketClose] { state.withLock { $0.closes } }

    var sender: WebSocketSender {
        WebSocketSender(
            id: 1, subprotocol: nil,
            send: { message in
                self.state.withLock { $0.messages.append(message) }
                return true
            },
            close: { close in self.state.withLock { $0.closes.append(close) } }, isOpen: { true })
    }

    func open(_ upgrade: WebSocketUpgrade) throws {
        state.withLock { $0.upgrade = upgrade }
        try upgrade.opened(sender)
    }

    func closed(_ close: WebSocketClose) {
        let upgrade = state.withLock { state in
            defer { state.upgrade = nil }
            return state.upgrade
        }
        upgrade?.closed(close, sender)
    }

    func waitForEnd(seconds: Double) -> Bool {
        let end = System.uptime + seconds
        while closes.isEmpty {
            guard System.uptime < end else { return false }
            nap()
        }
        return true
    }
}
