/// Some files as one, in the form of tar: a header of 512 bytes for each, and its content filled up to blocks of that size.
///
/// - Source: POSIX.1-2017, pax, “ustar Interchange Format”.
struct TarArchive {
    private var blocks: [UInt8] = []

    private static let blockSize = 512

    /// `path`: ASCII, at most 100 bytes, which is what our own files have.
    mutating func add(_ path: String, _ content: [UInt8]) {
        var header = [UInt8](repeating: 0, count: Self.blockSize)
        func put(_ text: String, at start: Int) {
            for (offset, byte) in text.utf8.enumerated() { header[start + offset] = byte }
        }
        put(String(path.utf8.prefix(100)) ?? "", at: 0)
        for (start, mode) in [(100, "0000644"), (108, "0000000"), (116, "0000000")] { put(mode, at: start) }
        put(Self.octal(content.count), at: 124)
        put(Self.octal(0), at: 136)  // 1970: the same files make the same archive.
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        put(String(Self.octal(header.reduce(0) { $0 + Int($1) }).suffix(6)) + "\0 ", at: 148)
        blocks += header + content
        blocks += [UInt8](repeating: 0, count: -content.count & (Self.blockSize - 1))
    }

    /// The whole, with its end.
    var bytes: [UInt8] { blocks + [UInt8](repeating: 0, count: 2 * Self.blockSize) }

    /// Eleven digits.
    private static func octal(_ number: Int) -> String {
        let digits = String(number, radix: 8)
        return String(repeating: "0", count: max(0, 11 - digits.count)) + digits
    }
}
