import Essentials
import Synchronization

/// Where the snapshots of one world are kept: in memory, or each as a file beside the world's.
final class SnapshotStore: Sendable {
    private let kept = Mutex<[String: Snapshot]>([:])
    /// Nil keeps them in memory.
    private let folder: String?

    init(folder: String?) { self.folder = folder }

    func names() throws -> [String] {
        guard let folder else { return kept.withLock { Array($0.keys) } }
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(Self.suffix.count)) }
            .filter(WorldName.isOne)
    }

    func all(_ keeper: WorldKeeper) throws -> SnapshotList {
        var list = SnapshotList()
        for name in try names().sorted() {
            do {
                if let found = try find(name, keeper) { list.snapshots.append(found) }
            } catch WorldError.snapshotUnreadable(let reason) {
                list.damaged.append(.init(name: name, reason: reason))
            }
        }
        list.snapshots.sort { ($0.takenAt, $0.name) < ($1.takenAt, $1.name) }
        return list
    }

    /// - Throws: ``WorldError/snapshotUnreadable(_:)`` for a file that is there and cannot be used.
    func find(_ name: String, _ keeper: WorldKeeper) throws -> Snapshot? {
        if let known = kept.withLock({ $0[name] }) { return known }
        guard let path = path(name), FileManager.default.fileExists(atPath: path) else { return nil }
        guard FileManager.default.isPlainFile(path) else {
            throw WorldError.snapshotUnreadable("\(path) is not a file")
        }
        let found = try keeper.snapshot(reading: [UInt8](Data(contentsOf: URL(filePath: path))), as: name)
        kept.withLock { $0[name] = found }
        return found
    }

    /// A name that can be given to a new snapshot.
    ///
    /// - Parameter name: nil for one that is made up.
    /// - Throws: ``WorldError``.
    func checked(_ name: String?) throws -> String {
        let taken = try names()
        guard taken.count < SnapshotList.limit else {
            throw WorldError.tooManySnapshots(limit: SnapshotList.limit)
        }
        if let name {
            guard WorldName.isOne(name) else { throw WorldError.snapshotNameMalformed(name) }
            guard !taken.contains(name) else { throw WorldError.snapshotNameTaken(name) }
            return name
        }
        let free = (1...SnapshotList.limit).lazy.map { "snapshot-\($0)" }.first { !taken.contains($0) }
        return free ?? "snapshot-\(SnapshotList.limit + 1)"
    }

    /// - Throws: ``WorldError/snapshotNameTaken(_:)`` when somebody was faster.
    func put(_ snapshot: Snapshot, _ keeper: WorldKeeper) throws {
        try kept.withLock { kept in
            guard kept[snapshot.name] == nil else { throw WorldError.snapshotNameTaken(snapshot.name) }
            if let folder, let path = path(snapshot.name) {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try Data(try keeper.file(of: snapshot)).write(to: URL(filePath: path), options: .atomic)
            }
            kept[snapshot.name] = snapshot
        }
    }

    /// False when there is none of that name.
    func remove(_ name: String) throws -> Bool {
        try kept.withLock { kept in
            let wasKept = kept.removeValue(forKey: name) != nil
            guard let path = path(name), FileManager.default.fileExists(atPath: path) else { return wasKept }
            try FileManager.default.removeItem(atPath: path)
            return true
        }
    }

    func removeAll() throws {
        kept.withLock { $0 = [:] }
        if let folder, FileManager.default.fileExists(atPath: folder) {
            try FileManager.default.removeItem(atPath: folder)
        }
    }

    private static let suffix = ".sqlite"

    private func path(_ name: String) -> String? {
        WorldName.isOne(name) ? folder.map { "\($0)/\(name)\(Self.suffix)" } : nil
    }
}
