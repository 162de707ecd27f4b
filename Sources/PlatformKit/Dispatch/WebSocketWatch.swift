import HTTP
import Synchronization
import Upstream

/// One open web socket of a platform. It keeps its world from being dropped, and is closed when the world ends.
final class WebSocketWatch: Sendable {
    private let responder: PlatformResponder
    private let world: World
    private let platform: String
    private let correlation: String
    private let target: String
    /// Whom its messages are for, and what all of them are about.
    private let opening: (audience: Audience?, subjects: [Subject])
    private let subjects: @Sendable (WebSocketMessage) -> [Subject]
    private let passed: Passed?
    private let listening = Mutex<Listening?>(nil)

    /// Of a web socket that is passed on to a real service.
    final class Passed: Sendable {
        let upstream: String
        /// Nil where secrets of real people are kept.
        let mask: SecretMask?
        private let counts = Mutex<[SocketMessage.Direction: (messages: Int, bytes: Int)]>([:])

        init(upstream: String, mask: SecretMask?) { (self.upstream, self.mask) = (upstream, mask) }

        func count(_ direction: SocketMessage.Direction, _ message: WebSocketMessage) {
            let size = message.bytes.count
            counts.withLock { counts in
                let before = counts[direction] ?? (0, 0)
                counts[direction] = (before.messages + 1, before.bytes + size)
            }
        }

        func kept(_ message: WebSocketMessage, _ direction: SocketMessage.Direction) -> WebSocketMessage {
            guard let mask else { return message }
            let masked = mask.masked(message.bytes, nil, inRequest: direction == .received)
            return message.text == nil ? .binary(masked) : .text(String(decoding: masked, as: UTF8.self))
        }

        /// What is kept of a reason to end.
        func kept(_ reason: String) -> String { mask?.masked(text: reason) ?? reason }

        /// What went through, as a sentence.
        var sentence: String {
            let (theirs, ours) = counts.withLock { ($0[.received] ?? (0, 0), $0[.sent] ?? (0, 0)) }
            return
                " It was passed on to \(upstream): \(Self.told(theirs)) went to the service, \(Self.told(ours)) came from it."
        }

        private static func told(_ count: (messages: Int, bytes: Int)) -> String {
            "\(count.messages) message\(count.messages == 1 ? "" : "s") (\(count.bytes) bytes)"
        }
    }

    /// - Parameters:
    ///   - world: serving the request that opened the socket.
    ///   - correlation: the id of that request.
    ///   - subjects: what a message of the platform is about.
    init(
        responder: PlatformResponder, world: World, platform: String, correlation: String, target: String,
        subjects: @escaping @Sendable (WebSocketMessage) -> [Subject], passed: Passed? = nil
    ) {
        self.passed = passed
        self.responder = responder
        self.world = world
        self.platform = platform
        self.correlation = correlation
        self.target = target
        self.subjects = subjects
        opening = (world.remark?.audience, world.remark?.all.subjects ?? [])
    }

    func begin(_ sender: WebSocketSender) {
        let stop = world.journal.listen({ _ in }, ended: { sender.close(.goingAway, "the world was closed") })
        listening.withLock { $0 = Listening(end: stop) }
    }

    func end(_ close: WebSocketClose) {
        listening.withLock { $0.take() }?.end()
        let said = passed?.kept(close.reason) ?? close.reason
        let reason = said.isEmpty ? "" : ", “\(said)”"
        note(
            "web socket closed",
            "The web socket of \(target) ended with \(close.code.rawValue)\(reason)."
                + (passed?.sentence ?? ""))
    }

    /// The sender, of whose messages the journal is told.
    func telling(_ sender: WebSocketSender) -> WebSocketSender {
        WebSocketSender(
            id: sender.id, subprotocol: sender.subprotocol,
            send: { [self] message in
                guard sender.isOpen else { return false }
                // Before the client has it: what the client does then comes later in the journal.
                tell(.sent, message)
                return sender.send(message)
            }, close: { sender.close($0.code, $0.reason) }, isOpen: { sender.isOpen })
    }

    func tell(_ direction: SocketMessage.Direction, _ message: WebSocketMessage) {
        passed?.count(direction, message)
        let told = SocketMessage(direction, passed?.kept(message, direction) ?? message)
        var entry = JournalEntry(
            .event, at: world.clock.now, platform: platform, correlation: correlation, event: told.event,
            explanation: told.explanation)
        entry.message = told
        entry.upstream = passed?.upstream
        entry.audience = opening.audience
        let own = passed == nil ? subjects(message) : []
        entry.subjects = opening.subjects + own.filter { !opening.subjects.contains($0) }
        world.journal.append(entry)
    }

    /// Runs a callback, and tells why it fails.
    func run(_ callback: () throws -> Void) throws {
        do {
            try callback()
        } catch {
            if let explanation = responder.explanation(of: error) {
                note("web socket failed", explanation)
            } else {
                responder.report("bug: \(platform): web socket \(target): \(error) (request \(correlation))")
                note(
                    "web socket failed", "This is a bug in Understudy, not in the client: \(error).",
                    isBug: true)
            }
            throw error
        }
    }

    private func note(_ event: String, _ explanation: String, isBug: Bool = false) {
        var entry = JournalEntry(
            .event, at: world.clock.now, platform: platform, correlation: correlation, event: event,
            explanation: explanation, isBug: isBug)
        entry.upstream = passed?.upstream
        world.journal.append(entry)
    }
}
