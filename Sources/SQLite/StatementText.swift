/// The text of a statement. It is put together and looked up at every call, where bytes do the same as a `String` for less.
struct StatementText: Hashable, Sendable, CustomStringConvertible {
    private(set) var bytes: [UInt8] = []

    init() {}

    init(_ text: String) { append(text) }

    var description: String { String(decoding: bytes, as: UTF8.self) }

    mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ constant: StaticString) {
        constant.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ other: StatementText) { bytes += other.bytes }

    /// The place of a bound value.
    mutating func appendParameter() { bytes.append(UInt8(ascii: "?")) }

    /// All bytes at once; an array would hash each by itself.
    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
