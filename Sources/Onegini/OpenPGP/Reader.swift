extension OpenPGP {
    /// Takes bytes from the front; what is not there is an error, never a trap.
    struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func byte() throws(OpenPGPError) -> UInt8 {
            guard let byte = rest.popFirst() else { throw .truncated(wanted: 1, left: 0) }
            return byte
        }

        mutating func bytes(_ count: Int) throws(OpenPGPError) -> [UInt8] {
            guard count >= 0, count <= rest.count else {
                throw .truncated(wanted: count, left: rest.count)
            }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }

        /// An unsigned number of at most 4 bytes, most significant byte first.
        mutating func integer(_ count: Int) throws(OpenPGPError) -> Int {
            try bytes(min(count, 4)).reduce(0) { $0 << 8 | Int($1) }
        }

        /// A multiprecision integer: its size in bits in 2 bytes, then its bytes, most significant first.
        /// Source: RFC 4880 §3.2.
        mutating func number() throws(OpenPGPError) -> [UInt8] {
            try bytes((integer(2) + 7) / 8)
        }

        mutating func remainder() -> [UInt8] {
            defer { rest = [] }
            return Array(rest)
        }
    }
}
