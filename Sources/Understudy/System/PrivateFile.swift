#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // Its headers may be the first to bring in a struct of the C library, and then own it.
    import Glibc
#endif

/// Files that are there whole or not at all.
enum PrivateFile {
    /// How the names of files end that were begun; one that was left is of a program that was killed.
    static let draftSuffix = ".new"

    /// Makes a file that this user alone may read, unless there is one: of two programs that do so at once, one wins.
    ///
    /// - Returns: false when there was one already, which stays as it is.
    /// - Throws: ``Failure``.
    static func create(_ bytes: [UInt8], at path: String) throws -> Bool {
        let draft = try write(bytes, beside: path, mode: 0o600)
        defer { _ = unlink(draft) }
        if link(draft, path) == 0 { return true }
        if errno == EEXIST { return false }
        // Some file systems know no links.
        guard access(path, F_OK) != 0 else { return false }
        guard rename(draft, path) == 0 else { throw failure(path) }
        return true
    }

    /// Puts a file in the place of another; everybody may read it unless `mode` says otherwise.
    static func replace(_ bytes: [UInt8], at path: String, mode: mode_t = 0o644) throws {
        let draft = try write(bytes, beside: path, mode: mode)
        guard rename(draft, path) == 0 else {
            let failure = failure(path)
            _ = unlink(draft)
            throw failure
        }
    }

    /// Takes the rights of other users away, where they have any.
    ///
    /// - Returns: whether they had.
    static func close(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return false }
        return chmod(path, status.st_mode & 0o700) == 0
    }

    private static func write(_ bytes: [UInt8], beside path: String, mode: mode_t) throws -> String {
        let draft = path + ".\(getpid())" + draftSuffix
        _ = unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw failure(draft) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Self.put(file, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = failure(draft)
                end(file)
                _ = unlink(draft)
                throw failure
            }
            rest = rest.dropFirst(count)
        }
        _ = fsync(file)
        end(file)
        return draft
    }

    private static func put(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.write(file, bytes.baseAddress, bytes.count)
        #else
            Glibc.write(file, bytes.baseAddress, bytes.count)
        #endif
    }

    private static func end(_ file: Int32) {
        #if canImport(Darwin)
            _ = Darwin.close(file)
        #else
            _ = Glibc.close(file)
        #endif
    }

    private static func failure(_ path: String) -> Failure {
        Failure("\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}
