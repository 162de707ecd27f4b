import Synchronization
import Testing

@testable import HTTPServer
@testable import Sockets

/// Threads that hear of a client do not wait for the one that serves it.
@Suite struct TurnTests {
    /// A turn that expectations can name, which copy what they are about.
    private final class Seat: Sendable {
        private let turn = Turn()

        var client: UInt16 { turn.client }
        func begin() { turn.begin() }
        func take(from client: UInt16? = nil, _ word: Poller.Readiness? = nil) -> Bool {
            turn.take(from: client, word)
        }
        func takeWord() -> Poller.Readiness? { turn.takeWord() }
        func end() -> Bool { turn.end() }
    }

    @Test func `one thread has the turn, and what others say meanwhile is looked at before it ends`() {
        let turn = Seat()
        #expect(!turn.take(), "nobody has the place")
        turn.begin()
        let client = turn.client
        #expect(turn.take(from: client, .readable))
        #expect(turn.takeWord() == nil)
        #expect(!turn.take(from: client, .peerEnded))
        #expect(!turn.take(from: client, .writable))
        #expect(!turn.take(), "the clock leaves no word")
        #expect(!turn.end())
        #expect(turn.takeWord() == [.peerEnded, .writable])
        #expect(turn.end())
        #expect(turn.take())
    }

    @Test func `word about a client who has gone is for nobody`() {
        let turn = Seat()
        turn.begin()
        let gone = turn.client
        _ = turn.take()
        turn.begin()
        #expect(!turn.take(from: gone, .broken))
        #expect(turn.take(from: turn.client, .readable))
        #expect(turn.takeWord() == nil)
        #expect(!turn.take(from: gone, .broken))
        #expect(turn.end())
    }

    /// What the threads of the test share.
    private final class Desk: Sendable {
        let turn = Turn()
        /// Told and not served yet.
        let open = Atomic<Int>(0)
        let served = Atomic<Int>(0)
        let serving = Atomic<Int>(0)
        let mostServing = Atomic<Int>(0)

        func tell() {
            open.add(1, ordering: .relaxed)
            guard turn.take(from: turn.client, .readable) else { return }
            let together = serving.add(1, ordering: .relaxed).newValue
            mostServing.max(together, ordering: .relaxed)
            repeat {
                _ = turn.takeWord()
                served.add(open.exchange(0, ordering: .relaxed), ordering: .relaxed)
                // Before the end, since another one may take the turn then.
                serving.subtract(1, ordering: .relaxed)
            } while !turn.end() && serving.add(1, ordering: .relaxed).newValue > 0
        }
    }

    @Test func `of a hundred thousand words of four threads none is lost`() throws {
        let desk = Desk()
        desk.turn.begin()
        let threads = try (0..<4).map { _ in
            try Thread { for _ in 0..<25_000 { desk.tell() } }
        }
        for thread in threads { thread.join() }
        #expect(desk.served.load(ordering: .relaxed) == 100_000)
        #expect(desk.open.load(ordering: .relaxed) == 0)
        #expect(desk.mostServing.load(ordering: .relaxed) == 1)
        let hasEnded = desk.turn.take()
        #expect(hasEnded)
    }
}
