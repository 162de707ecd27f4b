import Essentials
import SQLite

/// The database of the built-in world, behind the program in the program's own file.
///
/// Making it from the fixtures is most of a start, and grows with every table and every fixture. So `script/release` has it made
/// once. A program without it, such as one just built, makes it at each start; nothing else differs.
///
/// In the file: program, database, a line with the count of the database's bytes.
enum CarriedWorld {
    private static let mark = "understudy world "
    private static let digitCount = 10
    private static let lineLength = mark.utf8.count + digitCount + 1

    /// What this program carries; nil for nothing.
    static let own: DatabaseImage? = {
        // On a system without this file there is no release either.
        guard let program = MappedFile("/proc/self/exe"), let place = place(in: program.bytes) else {
            return nil
        }
        // Left where it is: a start looks at a few of its pages.
        return DatabaseImage(bytes: UnsafeRawBufferPointer(rebasing: program.bytes[place]), of: program)
    }()

    static func find(in program: Data) -> DatabaseImage? {
        program.withUnsafeBytes { bytes in place(in: bytes).map { DatabaseImage(bytes: [UInt8](bytes[$0])) } }
    }

    /// Where the database lies in a program's file; nil in one that carries none.
    private static func place(in program: UnsafeRawBufferPointer) -> Range<Int>? {
        let line = String(decoding: program.suffix(lineLength), as: UTF8.self)
        let end = program.count - lineLength
        guard line.hasPrefix(mark), line.hasSuffix("\n"),
            let count = Int(line.dropFirst(mark.count).dropLast()), count > 0, count <= end
        else { return nil }
        return end - count..<end
    }

    /// `program` with `world` in the place of what it carried.
    static func put(_ world: DatabaseImage, behind program: Data) -> Data {
        var file = program
        if let old = find(in: program) { file.removeLast(old.bytes.count + lineLength) }
        let count = String(world.bytes.count)
        let padding = String(repeating: "0", count: digitCount - count.utf8.count)
        return file + world.bytes + Data((mark + padding + count + "\n").utf8)
    }
}
