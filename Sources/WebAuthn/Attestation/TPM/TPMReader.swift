/// Reads the structures of a TPM: big endian numbers, and bytes after their length in two bytes.
/// Source: TCG TPM 2.0 Library, part 2.
struct TPMReader {
    struct Ended: Error, CustomStringConvertible {
        let what: String
        var description: String { what }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func number(_ count: Int) throws(Ended) -> Int {
        try take(count).reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func sized() throws(Ended) -> [UInt8] { Array(try take(try number(2))) }

    mutating func skip(_ count: Int) throws(Ended) { _ = try take(count) }

    func end() throws(Ended) {
        guard rest.isEmpty else { throw Ended(what: "\(rest.count) bytes are left over") }
    }

    private mutating func take(_ count: Int) throws(Ended) -> ArraySlice<UInt8> {
        guard count <= rest.count else {
            throw Ended(what: "\(count) bytes are asked for and \(rest.count) left")
        }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
