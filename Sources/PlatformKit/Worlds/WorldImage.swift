import SQLite
import Upstream
import Synchronization

/// What worlds begin with: a database full of fixtures, and what it says of its world.
final class WorldImage: Sendable {
    let database: DatabaseImage
    let settings: WorldSettings
    let faults: [FaultRule]
    /// Its own; nil where it says nothing of them.
    let upstreams: [String: Upstream]?
    /// Whom they may call by themselves; nil for everybody.
    let calls: CallsFixture?
    /// Whether worlds that begin with it have something to do by themselves.
    let hasScheduledWork: Bool
    /// What was derived from these fixtures in any world that began with them.
    let memo = MemoTable()

    init(
        database: DatabaseImage, settings: WorldSettings, faults: [FaultRule], upstreams: [String: Upstream]?,
        calls: CallsFixture?, hasScheduledWork: Bool
    ) {
        self.database = database
        self.settings = settings
        self.faults = faults
        self.upstreams = upstreams
        self.calls = calls
        self.hasScheduledWork = hasScheduledWork
    }
}

/// The images that were made of fixtures, each once however many worlds begin with it: those in use, and the last few.
final class WorldImages: Sendable {
    private struct Weak {
        weak var image: WorldImage?
    }

    private struct State {
        var all: [[UInt8]: Weak] = [:]
        /// The newest last.
        var recent: [WorldImage] = []
    }

    /// A test suite that loads its fixtures before each test has one set of them, or a few.
    private static let recentCount = 4

    private let state = Mutex(State())

    /// The image of `fixtures`, which `make` makes unless there is one.
    func image(of fixtures: FixtureSet, make: () throws -> WorldImage) rethrows -> WorldImage {
        if let known = state.withLock({ $0.all[fixtures.digest]?.image }) {
            note(known)
            return known
        }
        let made = try make()
        state.withLock { state in
            state.all = state.all.filter { $0.value.image != nil }
            state.all[fixtures.digest] = Weak(image: made)
        }
        note(made)
        return made
    }

    private func note(_ image: WorldImage) {
        state.withLock { state in
            state.recent.removeAll { $0 === image }
            state.recent.append(image)
            if state.recent.count > Self.recentCount { state.recent.removeFirst() }
        }
    }
}

extension World {
    /// Puts the content of `image` in the place of everything, in the one transaction that the database makes of it.
    func restore(_ image: WorldImage) throws {
        // Between the two nothing may be derived for either: a table is shared by all worlds of its fixtures.
        core.services.memo.replace(with: MemoTable())
        try core.faults.replace(with: image.faults) { try database.restore(image.database) }
        core.upstreams.replace(with: image.upstreams)
        core.gate.replace(with: image.calls)
        core.services.memo.replace(with: image.memo)
        core.services.addresses.clear()
        outbox.bell.ring()
        core.services.changes.ring()
    }
}
