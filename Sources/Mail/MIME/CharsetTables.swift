/// The tables of ``Charset``, unpacked when the first of them is needed.
struct CharsetTables: Sendable {
    static let shared = CharsetTables()

    let halves: [[UInt16]] = Self.halves.map { Self.unpacked($0.table) }
    let gbk = Self.unpacked(Self.gbk)
    let big5 = Self.unpacked(Self.big5)
    let korean = Self.unpacked(Self.korean)
    let jis = Self.unpacked(Self.jis)

    private static func unpacked(_ table: StaticString) -> [UInt16] {
        let bytes = TransferEncoding.base64(
            Array(UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount))[...])
        return stride(from: 0, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
    }
}
