extension Worlds {
    /// - Throws: ``WorldError``.
    package func snapshots(of world: String) throws -> SnapshotList { try shelf(of: world).all(keeper) }

    /// - Throws: ``WorldError``.
    package func snapshot(_ name: String, of world: String) throws -> Snapshot {
        let shelf = try shelf(of: world)
        guard let found = try shelf.find(name, keeper) else {
            throw WorldError.snapshotUnknown(name, world: world, existing: try shelf.names().sorted())
        }
        return found
    }

    /// Remembers the moment.
    ///
    /// - Parameter name: nil for one that is made up.
    /// - Throws: ``WorldError``.
    package func takeSnapshot(_ name: String?, of world: String) throws -> Snapshot {
        guard let live = try self.world(world) else { throw unknown(world) }
        let shelf = try shelf(of: world)
        let name = try shelf.checked(name)
        let snapshot = try keeper.snapshot(name, of: live)
        try shelf.put(snapshot, keeper)
        return snapshot
    }

    /// Puts a world back to one of its snapshots.
    ///
    /// - Parameter keepsClock: whether the world's clock goes on, and does not go back to the moment of the snapshot.
    /// - Throws: ``WorldError``.
    package func restore(_ name: String, in world: String, keepsClock: Bool) throws {
        guard let live = try self.world(world) else { throw unknown(world) }
        try keeper.restore(try snapshot(name, of: world), in: live, keepsClock: keepsClock)
    }

    /// - Throws: ``WorldError``.
    package func deleteSnapshot(_ name: String, of world: String) throws {
        let shelf = try shelf(of: world)
        guard try shelf.remove(name) else {
            throw WorldError.snapshotUnknown(name, world: world, existing: try shelf.names().sorted())
        }
    }

    /// A file that ``importSnapshot(_:as:into:)`` takes, also of another program.
    ///
    /// - Throws: ``WorldError``.
    package func exportSnapshot(_ name: String, of world: String) throws -> [UInt8] {
        try keeper.file(of: snapshot(name, of: world))
    }

    /// - Parameter name: nil for the one that the file says.
    /// - Throws: ``WorldError``.
    package func importSnapshot(_ file: [UInt8], as name: String?, into world: String) throws -> Snapshot {
        let shelf = try shelf(of: world)
        let snapshot = try keeper.snapshot(reading: file, as: name)
        _ = try shelf.checked(snapshot.name)
        try shelf.put(snapshot, keeper)
        return snapshot
    }
}
