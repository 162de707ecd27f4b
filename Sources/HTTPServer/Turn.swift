import Sockets
import Synchronization

/// Whose turn it is at a place: its client's, or that of the one thread that serves it.
///
/// It is kept outside of the place's lock, so that a thread which hears of a client that another one serves leaves word and goes, and neither
/// waits. No word is lost: a turn that word was left for does not end before that is looked at.
struct Turn: ~Copyable {
    /// From the lowest bit: the ``Poller/Readiness`` that word was left of, whether a thread serves the client, whether word was left, and how
    /// many clients had the place, counted round.
    private let state = Atomic<UInt32>(isServed)

    private static let readiness: UInt32 = 0xF
    private static let isServed: UInt32 = 1 << 4
    private static let hasWord: UInt32 = 1 << 5
    private static let client: UInt32 = 1 << 16

    /// Tells who has the place from who had it before.
    var client: UInt16 { UInt16(state.load(ordering: .acquiring) / Self.client) }

    /// The next client has the place, and its turn.
    func begin() {
        let last = state.load(ordering: .relaxed)
        state.store((last & ~(Self.client - 1)) &+ Self.client, ordering: .releasing)
    }

    /// Takes the turn, unless a thread has it; or else leaves word for that one, where there is something to say.
    ///
    /// - Parameter client: whom it is about; nil for whoever has the place. Nothing is done when somebody else has it by now.
    func take(from client: UInt16? = nil, _ word: Poller.Readiness? = nil) -> Bool {
        var present = state.load(ordering: .relaxed)
        while true {
            if let client, UInt32(client) != present / Self.client { return false }
            let isFree = present & Self.isServed == 0
            guard
                let next = isFree
                    ? present | Self.isServed : word.map({ present | Self.hasWord | UInt32($0.rawValue) })
            else { return false }
            let outcome = state.weakCompareExchange(
                expected: present, desired: next, ordering: .acquiringAndReleasing)
            if outcome.exchanged { return isFree }
            present = outcome.original
        }
    }

    /// What was left word of since the last look; nil for nothing.
    func takeWord() -> Poller.Readiness? {
        guard state.load(ordering: .relaxed) & Self.hasWord != 0 else { return nil }
        let before = state.bitwiseAnd(~(Self.hasWord | Self.readiness), ordering: .acquiringAndReleasing)
            .oldValue
        return Poller.Readiness(rawValue: UInt8(before & Self.readiness))
    }

    /// Gives the turn back to the client. False when word was left, which is to be looked at first.
    func end() -> Bool {
        let present = state.load(ordering: .relaxed)
        guard present & Self.hasWord == 0 else { return false }
        return state.compareExchange(
            expected: present, desired: present & ~Self.isServed, ordering: .acquiringAndReleasing
        ).exchanged
    }
}
