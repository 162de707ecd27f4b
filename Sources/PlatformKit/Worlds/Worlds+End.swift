import Essentials
import SQLite
import Synchronization

// How worlds end: by a call, for want of use, or with the program.
extension Worlds {
    /// So many worlds after a login hold some eight MiB.
    private static let worthGivingBack = 200

    /// - Throws: ``WorldError``.
    package func delete(_ name: String) throws {
        try remove(name)
        let isWorthIt = state.withLock { state in
            state.dropped += 1
            defer { if state.dropped >= Self.worthGivingBack { state.dropped = 0 } }
            return state.dropped >= Self.worthGivingBack
        }
        if isWorthIt { settings.giveBackMemory() }
    }

    /// What the world held is free when this returns, unless somebody is still in it.
    private func remove(_ name: String) throws {
        guard name != Self.defaultName else { throw WorldError.indispensable(name) }
        let slot = try state.withLock { state in
            guard let slot = state.slots[name] else { throw unknown(name, in: state) }
            // Before anybody can make a world of this name again, whose file this would be.
            try folder?.file(of: name).remove()
            try slot.snapshots.removeAll()
            state.slots[name] = nil
            return slot
        }
        slot.live?.close()
    }

    /// Drops what nobody used for long: worlds in memory vanish, worlds in files are closed.
    func sweep(_ state: inout State, _ now: Date) {
        guard now.timeIntervalSince(state.lastSweep) >= min(60, settings.idleSeconds) else { return }
        state.lastSweep = now
        for (name, slot) in state.slots where name != Self.defaultName {
            let isIdle = now.timeIntervalSince(slot.lastUsed) >= settings.idleSeconds
            guard isIdle, slot.live?.isWatched != true else { continue }
            if folder == nil {
                state.slots[name] = nil
            } else {
                state.slots[name]?.live = nil
            }
            state.dropped += 1
        }
        if state.dropped >= Self.worthGivingBack {
            state.dropped = 0
            settings.giveBackMemory()
        }
    }

    /// Ends every wait in any world, also in those that are made ready later: the program is ending.
    package func close() {
        let live = state.withLock { state in
            state.isClosed = true
            return state.slots.values.compactMap(\.live)
        }
        for world in live { world.close() }
    }

    /// After ``close()``: waits for the callbacks that are under way in any world, `seconds` in all.
    package func finishCallbacks(seconds: Double) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        let live = state.withLock { $0.slots.values.compactMap(\.live) }
        for world in live { world.finishCallbacks(until: deadline) }
    }
}
