package import Essentials
package import SQLite
import Synchronization

/// Every world of the program. A world that was only created is a name; it gets its database when it is first touched.
package final class Worlds: Sendable {
    package typealias Settings = WorldsSettings

    /// The world of addresses that name none. It is always there.
    package static let defaultName = WorldName.standard

    struct Slot {
        var live: World?
        /// Nil for the content that the program was started with.
        var image: WorldImage?
        var order = WorldOrder()
        /// What the world goes on from, where that is a snapshot.
        var origin: Snapshot?
        let snapshots: SnapshotStore
        let createdAt: Date
        var lastUsed: Date
    }

    struct State {
        var slots: [String: Slot] = [:]
        var lastSweep: Date
        /// Worlds that were dropped since memory was given back.
        var dropped = 0
        var isClosed = false
    }

    let state: Mutex<State>
    let keeper: WorldKeeper
    let settings: Settings
    /// Nil keeps the worlds in memory.
    let folder: WorldFolder?
    private let image: WorldImage
    /// The default world, which stays open once it is.
    private let defaultCore = AtomicLazyReference<WorldCore>()
    /// Until when it is found without the lock: seconds since 2001, as the bits of a `Double`.
    private let lockFreeUntil = Atomic<UInt64>(0)

    /// - Throws: ``FixtureError``; ``WorldError`` when the data folder cannot be used.
    package convenience init(
        sections: [any Section.Type], fixtures: FixtureSet, settings: Settings
    ) throws {
        let keeper = WorldKeeper(sections: sections, settings: settings)
        try self.init(keeper: keeper, image: keeper.image(of: fixtures))
    }

    /// - Parameter content: the ``content`` that the same program made of its fixtures.
    /// - Throws: ``WorldError``.
    package convenience init(
        sections: [any Section.Type], content: DatabaseImage, settings: Settings
    ) throws {
        let keeper = WorldKeeper(sections: sections, settings: settings)
        try self.init(keeper: keeper, image: keeper.image(content))
    }

    private init(keeper: WorldKeeper, image: WorldImage) throws {
        self.keeper = keeper
        self.image = image
        settings = keeper.settings
        folder = settings.dataFolder.map(WorldFolder.init)
        let now = settings.realTime()
        state = Mutex(State(lastSweep: now))
        for name in try Set((folder?.names() ?? []) + [Self.defaultName]) {
            let shelf = shelf(new: name)
            state.withLock { $0.slots[name] = Slot(snapshots: shelf, createdAt: now, lastUsed: now) }
        }
        if folder != nil { _ = try world(Self.defaultName) }
    }

    /// The world `name`, made ready when this is its first use; nil when there is none of that name.
    package func world(_ name: String) throws -> World? {
        let now = settings.realTime()
        if name == Self.defaultName, let world = defaultWorld(at: now) { return world }
        return try state.withBriefLock { state in
            defer { sweep(&state, now) }
            guard let place = state.slots.index(forKey: name) else { return nil }
            state.slots.values[place].lastUsed = now
            if let live = state.slots.values[place].live {
                if name == Self.defaultName { rememberDefault(live, at: now) }
                return live
            }
            let world = try open(name, state.slots.values[place])
            if state.isClosed { world.close() }
            state.slots[name]?.live = world
            return world
        }
    }

    /// The default world without the lock, for which all threads would queue. Once a second they take it nevertheless: to note
    /// that the world is used, and to drop others that are not.
    private func defaultWorld(at now: Date) -> World? {
        let until = Double(bitPattern: lockFreeUntil.load(ordering: .relaxed))
        guard 0...1 ~= until - now.timeIntervalSinceReferenceDate else { return nil }
        return defaultCore.load().map { World($0) }
    }

    private func rememberDefault(_ world: World, at now: Date) {
        _ = defaultCore.storeIfNil(world.core)
        lockFreeUntil.store((now.timeIntervalSinceReferenceDate + 1).bitPattern, ordering: .relaxed)
    }

    /// What a world begins with that is made without fixtures of its own.
    package var content: DatabaseImage { image.database }

    /// The time that the worlds' clocks follow.
    package var realNow: Date { settings.realTime() }

    /// In alphabetical order.
    package var names: [String] { state.withLock { $0.slots.keys.sorted() } }

    /// In alphabetical order.
    package func list() -> [WorldSummary] {
        state.withLock { state in state.slots.map { WorldSummary($0, $1) } }.sorted { $0.name < $1.name }
    }

    /// Those that were used last, the newest first, and how many there are in all.
    ///
    /// - Parameter part: of their names; empty for any.
    package func latest(_ count: Int, named part: String = "") -> (worlds: [WorldSummary], total: Int) {
        let part = TextSearch(exactly: part)
        return state.withLock { state in
            var found: [(name: String, slot: Slot)] = []
            var total = 0
            for (name, slot) in state.slots where part.isIn(name) {
                total += 1
                let isFull = found.count == count
                if isFull, let last = found.last, last.slot.lastUsed >= slot.lastUsed { continue }
                let place = found.firstIndex {
                    ($0.slot.lastUsed, name) < (slot.lastUsed, $0.name)
                }
                found.insert((name, slot), at: place ?? found.endIndex)
                if isFull { found.removeLast() }
            }
            return (found.map { WorldSummary($0.name, $0.slot) }, total)
        }
    }

    /// Makes a world, all or nothing.
    ///
    /// - Returns: its name.
    /// - Throws: ``WorldError``, ``FixtureError``, ``ClockOutOfRange``.
    package func create(_ order: WorldOrder) throws -> String {
        let name = try order.checkedName()
        if let now = order.now, !WorldClock.range.contains(now) { throw ClockOutOfRange() }
        let origin = try order.origin.map { try snapshot($0.snapshot, of: $0.world) }
        let image = try origin?.image ?? order.fixtures.map(keeper.image)
        try state.withLock { state in
            guard state.slots[name] == nil else { throw WorldError.nameTaken(name) }
            guard state.slots.count < settings.worldLimit else {
                throw WorldError.tooMany(limit: settings.worldLimit)
            }
            let now = settings.realTime()
            sweep(&state, now)
            var slot = Slot(
                image: image, order: order, origin: origin, snapshots: shelf(new: name), createdAt: now,
                lastUsed: now)
            // What is kept in files is made at once: a world that was acknowledged must survive.
            if folder != nil { slot.live = try open(name, slot) }
            state.slots[name] = slot
        }
        return name
    }

    /// Gives a world the content, the clock and the chance that it began with; its outbox and journal are emptied.
    ///
    /// - Throws: ``WorldError``.
    package func reset(_ name: String) throws {
        guard let world = try world(name) else { throw unknown(name) }
        let slot = state.withLock { $0.slots[name] }
        let order = slot?.order ?? WorldOrder()
        guard folder != nil else {
            let image = slot?.image ?? self.image
            try world.restore(image)
            try begin(world, slot, image)
            return world.core.attend()
        }
        let kept = try WorldKeeper.settings(of: world.database, name)
        let own = try kept.fixtures.map { try FixtureSet(text: Array($0.utf8), file: "world \(name)") }
        try replace(
            world, by: own.map(keeper.image) ?? self.image, order, seed: kept.seed, fixtures: kept.fixtures)
    }

    /// The world's whole state as a fixture file.
    package func export(_ world: World) throws -> [UInt8] { try keeper.loader.export(from: world.database) }

    /// Puts `fixtures` in the place of everything that the world holds, all or nothing.
    ///
    /// - Throws: ``FixtureError``.
    package func load(_ fixtures: FixtureSet, into world: World) throws {
        let image = try keeper.image(of: fixtures)
        let kept = try WorldKeeper.settings(of: world.database, world.name)
        // A world in memory has its seed from its order alone.
        let ordered = state.withLock { $0.slots[world.name]?.order.seed } ?? settings.seed
        try replace(
            world, by: image, WorldOrder(), seed: folder == nil ? ordered : kept.seed,
            fixtures: kept.fixtures)
    }

    /// Puts `image` in the place of everything, and writes down what shall survive the program.
    private func replace(
        _ world: World, by image: WorldImage, _ order: WorldOrder, seed: UInt64?, fixtures: String?
    ) throws {
        try world.restore(image)
        try world.database.write { try WorldSettings.keep(seed: seed, fixtures: fixtures, in: $0) }
        try keeper.begin(world, order, clock: image.settings.clock, seed: seed)
        world.core.attend()
    }

    private func open(_ name: String, _ slot: Slot) throws -> World {
        let seed = slot.order.seed ?? settings.seed
        let image = slot.image ?? self.image
        guard let file = folder?.file(of: name) else {
            let world = try keeper.open(name, image: image)
            try begin(world, slot, image)
            // Nothing is asked of its database.
            if image.hasScheduledWork { world.core.attend() }
            return world
        }
        return try keeper.open(name, path: file.path, image: image) { world in
            try begin(world, slot, image)
            // What it begins with, clock included, is kept for a reset by a later program.
            let isOwn = slot.image != nil || slot.order.now != nil || slot.order.isFrozen != nil
            let fixtures = isOwn ? String(decoding: try export(world), as: UTF8.self) : nil
            try world.database.write { try WorldSettings.keep(seed: seed, fixtures: fixtures, in: $0) }
        }
    }

    /// Starts clock and chance of a new or reset world, which go on from the snapshot where there is one.
    private func begin(_ world: World, _ slot: Slot?, _ image: WorldImage) throws {
        let order = slot?.order ?? WorldOrder()
        try keeper.begin(world, order, clock: image.settings.clock, seed: order.seed ?? settings.seed)
        guard let origin = slot?.origin else { return }
        if order.seed == nil { world.streams.go(to: origin.chance) }
        if order.now == nil { try keeper.begin(world, at: origin) }
        world.core.deliverLateMessages()
    }

}

extension Worlds {
    /// - Throws: ``WorldError/unknown(_:existing:)``.
    func shelf(of name: String) throws -> SnapshotStore {
        guard let slot = state.withLock({ $0.slots[name] }) else { throw unknown(name) }
        return slot.snapshots
    }

    private func shelf(new name: String) -> SnapshotStore {
        SnapshotStore(folder: folder?.snapshots(of: name))
    }

    func unknown(_ name: String, in state: borrowing State) -> WorldError {
        .unknown(name, existing: state.slots.keys.sorted())
    }

    func unknown(_ name: String) -> WorldError { .unknown(name, existing: names) }
}

extension WorldSummary {
    fileprivate init(_ name: String, _ slot: Worlds.Slot) {
        self.init(name: name, live: slot.live, createdAt: slot.createdAt, lastUsedAt: slot.lastUsed)
    }
}
