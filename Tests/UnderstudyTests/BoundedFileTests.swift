import Essentials
import Testing

@testable import Understudy

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What people name as a file and is none is refused at once, with the reason.
@Suite struct BoundedFileTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.path + "/understudy-files-\(UUID().uuidString)"
        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private func refusal(_ path: String, limit: Int = 1 << 20, isPlain: Bool = false) -> String? {
        let error = #expect(throws: Failure.self) {
            try BoundedFile.bytes(at: path, limit: limit, of: "a key", isPlain: isPlain)
        }
        return error?.message
    }

    @Test func `a file is read, also by a link to it`() throws {
        let folder = try Folder()
        try Data("hello".utf8).write(to: URL(filePath: folder.path + "/file"))
        #expect(symlink("file", folder.path + "/link") == 0)
        for name in ["/file", "/link"] {
            #expect(
                try BoundedFile.bytes(at: folder.path + name, limit: 5, isPlain: true) == Array("hello".utf8))
        }
        #expect(
            refusal(folder.path + "/file", limit: 4)?.contains("more than 0 KiB, which is too much for a key")
                == true)
    }

    @Test func `folders, links to nothing, devices and what is not there say what they are`() throws {
        let folder = try Folder()
        let path = folder.path
        #expect(symlink("nowhere", path + "/dangling") == 0 && symlink("loop", path + "/loop") == 0)
        #expect(refusal(path) == "\(path): this is a folder; name a file with a key")
        #expect(refusal(path + "/dangling") == "\(path)/dangling: a link to something that is not there")
        #expect(refusal(path + "/loop") == "\(path)/loop: a link that leads back to itself")
        #expect(refusal(path + "/none") == "\(path)/none: no such file or folder")
        #expect(refusal("/dev/zero") == "/dev/zero: this is a device; name a file with a key")
    }

    @Test func `a pipe without a writer keeps nobody waiting`() throws {
        let folder = try Folder()
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        #expect(refusal(path) == "\(path): this is a pipe, and nobody writes to it")
        #expect(refusal(path, isPlain: true) == "\(path): this is a pipe; name a file with a key")
    }

    @Test func `what a command writes into a pipe is read`() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        #expect(write(ends[1], "hello", 5) == 5)
        close(ends[1])
        #expect(try BoundedFile.bytes(at: "/dev/fd/\(ends[0])", limit: 100) == Array("hello".utf8))
    }
}
