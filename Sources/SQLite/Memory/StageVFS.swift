import CSQLite

/// The VFS by which SQLite reads and writes the ``Stage`` of a connection. The file's name is the stage's address.
///
/// Journals of such a connection are kept in memory and its temporary tables too, so no other file is ever asked for.
///
/// Source: SQLite, “The OS Backend (VFS)”.
enum StageVFS {
    static let name = "understudy"

    /// The name of the file that shows `stage`, which must outlive the connection.
    static func path(of stage: Stage) -> String {
        String(UInt(bitPattern: Unmanaged.passUnretained(stage).toOpaque()))
    }

    /// Makes ``name`` known to SQLite; later calls do nothing.
    static func register() throws {
        if registration != SQLITE_OK {
            throw SQLiteError(code: registration, message: "no VFS", statement: "vfs register")
        }
    }

    private static let registration: Int32 = {
        configureLibrary()
        guard let system = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        // Chance and time are the system's.
        vfs.initialize(to: system.pointee)
        vfs.pointee.iVersion = 1
        vfs.pointee.szOsFile = Int32(MemoryLayout<StageFile>.size)
        vfs.pointee.pNext = nil
        vfs.pointee.zName = UnsafePointer(strdup(name))
        vfs.pointee.xOpen = { _, name, file, flags, outFlags in openStage(name, file, flags, outFlags) }
        vfs.pointee.xDelete = { _, _, _ in SQLITE_OK }
        vfs.pointee.xAccess = { _, _, _, isThere in
            isThere?.pointee = 0
            return SQLITE_OK
        }
        vfs.pointee.xFullPathname = { _, name, count, target in
            guard let name, let target, strlen(name) < Int(count) else { return SQLITE_CANTOPEN }
            strcpy(target, name)
            return SQLITE_OK
        }
        return sqlite3_vfs_register(vfs, 0)
    }()
}

/// What SQLite holds for an open file: its own part, and the stage.
private struct StageFile {
    var base: sqlite3_file
    var stage: Unmanaged<Stage>
}

private func openStage(
    _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
) -> Int32 {
    guard flags & SQLITE_OPEN_MAIN_DB != 0, let name, let file,
        let address = UInt(String(cString: name)).flatMap(UnsafeRawPointer.init(bitPattern:))
    else { return SQLITE_CANTOPEN }
    let opened = StageFile(base: sqlite3_file(pMethods: methods.pointer), stage: .fromOpaque(address))
    UnsafeMutableRawPointer(file).initializeMemory(as: StageFile.self, repeating: opened, count: 1)
    outFlags?.pointee = flags
    return SQLITE_OK
}

private func stage(of file: UnsafeMutablePointer<sqlite3_file>?) -> Stage? {
    file.map {
        UnsafeRawPointer($0).assumingMemoryBound(to: StageFile.self).pointee.stage.takeUnretainedValue()
    }
}

/// The functions of a stage's file. A gate lets one thread at a time into a database, so there is nothing to lock; and nothing
/// lasts, so there is nothing to synchronize.
private let methods = StageMethods()

/// `@unchecked Sendable`: nothing changes after `init`.
private final class StageMethods: @unchecked Sendable {
    let pointer: UnsafePointer<sqlite3_io_methods>

    init() {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        table.initialize(to: sqlite3_io_methods())
        table.pointee.iVersion = 1
        table.pointee.xClose = { _ in SQLITE_OK }
        table.pointee.xRead = { file, target, count, offset in
            guard let stage = stage(of: file), let target else { return Failure.read }
            return stage.read(into: target, count: Int(count), at: Int(offset))
                ? SQLITE_OK : Failure.shortRead
        }
        table.pointee.xWrite = { file, bytes, count, offset in
            // The pager writes whole pages, and nothing else.
            guard let stage = stage(of: file), let bytes, Int(count) == Page.size,
                Int(offset).isMultiple(of: Page.size)
            else { return Failure.write }
            // Not one of the codes for input and output, after which the pager gives up its journal instead of playing it back.
            return stage.write(bytes, to: Int(offset) / Page.size) ? SQLITE_OK : SQLITE_NOMEM
        }
        table.pointee.xTruncate = { file, count in
            stage(of: file)?.truncate(to: Int(count))
            return SQLITE_OK
        }
        table.pointee.xSync = { _, _ in SQLITE_OK }
        table.pointee.xFileSize = { file, count in
            count?.pointee = Int64(stage(of: file)?.byteCount ?? 0)
            return SQLITE_OK
        }
        table.pointee.xLock = { _, _ in SQLITE_OK }
        table.pointee.xUnlock = { _, _ in SQLITE_OK }
        table.pointee.xCheckReservedLock = { _, isReserved in
            isReserved?.pointee = 0
            return SQLITE_OK
        }
        table.pointee.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        table.pointee.xSectorSize = { _ in Int32(Page.size) }
        table.pointee.xDeviceCharacteristics = { _ in
            SQLITE_IOCAP_ATOMIC | SQLITE_IOCAP_POWERSAFE_OVERWRITE | SQLITE_IOCAP_SAFE_APPEND
        }
        pointer = UnsafePointer(table)
    }

    private enum Failure {
        static let read = SQLITE_IOERR | (1 << 8)
        static let shortRead = SQLITE_IOERR | (2 << 8)
        static let write = SQLITE_IOERR | (3 << 8)
    }
}
