#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // Its headers may be the first to bring in a struct of the C library, and then own it.
    import Glibc
#endif
import Essentials

/// Reads what people name as a file. It may be a pipe to which somebody writes, as shells make for `<(command)`; whatever else is no file,
/// never ends or has nobody at its other end is refused at once.
enum BoundedFile {
    private static let piece = 65_536
    /// Milliseconds for which the writer of a pipe may be quiet.
    private static let patience: Int32 = 10_000

    /// - Parameters:
    ///   - kind: what the file must hold, for a sentence.
    ///   - isPlain: whether a pipe is refused too: of what is read more than once, or is kept.
    /// - Throws: ``Failure`` for what cannot be read, or is longer than `limit` bytes.
    static func bytes(at path: String, limit: Int, of kind: String = "fixtures", isPlain: Bool = false) throws
        -> [UInt8]
    {
        // A pipe is opened without waiting for a writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw Failure("\(path): \(reason(errno, at: path))") }
        defer { close(file) }
        let isPipe = try isPipe(file, path, kind, isPlain: isPlain)
        var bytes: [UInt8] = []
        // Of what cannot be sought, such as a pipe, this is -1.
        bytes.reserveCapacity(min(limit, max(0, Int(lseek(file, 0, SEEK_END)))) + piece)
        _ = lseek(file, 0, SEEK_SET)
        while bytes.count <= limit {
            var code: Int32 = 0
            let old = bytes.count
            bytes += [UInt8](unsafeUninitializedCapacity: piece) { buffer, count in
                let got = read(file, buffer.baseAddress, piece)
                (code, count) = (got < 0 ? errno : 0, max(got, 0))
            }
            switch code {
            case EINTR: continue
            case EAGAIN: try wait(for: file, path)
            case 0 where bytes.count == old:
                if isPipe, bytes.isEmpty { throw Failure("\(path): this is a pipe, and nobody writes to it") }
                return bytes
            case 0: continue
            default: throw Failure("\(path): \(reason(code, at: path))")
            }
        }
        throw Failure(
            "\(path): more than \(size(limit)), which is too much for \(kind); name a file with \(kind)")
    }

    /// Whether anything has this name, be it a link that leads nowhere.
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// - Throws: ``Failure`` for what cannot be read like a file.
    private static func isPipe(_ file: Int32, _ path: String, _ kind: String, isPlain: Bool) throws -> Bool {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Failure("\(path): \(reason(errno, at: path))") }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return false
        case S_IFDIR: throw Failure("\(path): this is a folder; name a file with \(kind)")
        case S_IFIFO where !isPlain, S_IFSOCK where !isPlain: return true
        case S_IFIFO: throw Failure("\(path): this is a pipe; name a file with \(kind)")
        // What somebody types.
        case S_IFCHR where !isPlain && isatty(file) == 1: return true
        default: throw Failure("\(path): this is a device; name a file with \(kind)")
        }
    }

    /// - Throws: ``Failure`` when the writer says nothing for too long; what somebody types may take its time.
    private static func wait(for file: Int32, _ path: String) throws {
        var watched = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, isatty(file) == 1 ? -1 : patience) != 0 else {
            throw Failure("\(path): this is a pipe, and its writer was quiet for \(patience / 1000) s")
        }
    }

    private static func size(_ bytes: Int) -> String {
        bytes < 1 << 20 ? "\(bytes / 1024) KiB" : "\(bytes / 1_048_576) MiB"
    }

    private static func reason(_ code: Int32, at path: String) -> String {
        switch code {
        case ENOENT where isThere(path): "a link to something that is not there"
        case ENOENT: "no such file or folder"
        case EACCES: "permission denied"
        case ELOOP: "a link that leads back to itself"
        case ENXIO: "this is a socket or a device, not a file"
        default: String(cString: strerror(code))
        }
    }
}
