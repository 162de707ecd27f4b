#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // Its headers may be the first to bring in a struct of the C library, and then own it.
    import Glibc
#endif
import Essentials

/// Reads what people name as a file, which may be a pipe, or a device that never ends.
enum BoundedFile {
    private static let piece = 65_536

    /// - Parameter kind: what the file must hold, for a sentence.
    /// - Throws: ``Failure`` for what cannot be read, or is longer than `limit` bytes.
    static func bytes(at path: String, limit: Int, of kind: String = "fixtures") throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(path) }
        defer { close(file) }
        var bytes: [UInt8] = []
        // Of what cannot be sought, such as a pipe, this is -1.
        bytes.reserveCapacity(min(limit, max(0, Int(lseek(file, 0, SEEK_END)))) + piece)
        _ = lseek(file, 0, SEEK_SET)
        while bytes.count <= limit {
            var isAtEnd = false
            var code: Int32 = 0
            let old = bytes.count
            bytes += [UInt8](unsafeUninitializedCapacity: piece) { buffer, count in
                let got = read(file, buffer.baseAddress, piece)
                (code, isAtEnd, count) = (got < 0 ? errno : 0, got == 0, max(got, 0))
            }
            if code != 0, code != EINTR { throw failure(path, code) }
            if isAtEnd && bytes.count == old { return bytes }
        }
        throw Failure(
            "\(path): more than \(limit / 1_048_576) MiB, which is too much for \(kind); name a file with \(kind)"
        )
    }

    private static func failure(_ path: String, _ code: Int32 = errno) -> Failure {
        let words =
            switch code {
            case ENOENT: "no such file or folder"
            case EACCES: "permission denied"
            default: String(cString: strerror(code))
            }
        return Failure("\(path): \(words)")
    }
}
