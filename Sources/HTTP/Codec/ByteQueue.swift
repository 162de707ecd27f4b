/// Bytes that have come and are not used up. Every byte is looked at once for line ends, however the bytes are split.
struct ByteQueue: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0
    /// Up to here, no line end was found.
    private var scanned = 0

    /// Bytes of storage that an empty queue may keep for the next message.
    private static let keptCapacity = 1024

    var count: Int { bytes.count - start }
    /// Bytes of storage that it holds.
    var capacity: Int { bytes.capacity }
    var first: UInt8? { start < bytes.count ? bytes[start] : nil }

    /// The first `wanted` bytes; nil while fewer have come.
    func peek(_ wanted: Int) -> ArraySlice<UInt8>? {
        wanted <= count ? bytes[start..<start + wanted] : nil
    }

    mutating func append(_ new: UnsafeRawBufferPointer) { bytes.append(contentsOf: new) }

    mutating func removeAll() { self = ByteQueue() }

    /// All that is not used up; nothing is left.
    mutating func takeAll() -> [UInt8] {
        defer { removeAll() }
        return Array(bytes[start...])
    }

    mutating func drop(_ count: Int) {
        start += count
        scanned = max(scanned, start)
    }

    /// Moves at most `count` bytes to the end of `target`.
    mutating func move(_ wanted: Int, to target: inout [UInt8]) -> Int {
        let moved = min(wanted, count)
        target.append(contentsOf: bytes[start..<start + moved])
        drop(moved)
        return moved
    }

    /// The next whole line without its CRLF, used up; `nil` while it is not whole. The range is for ``read(_:_:)``, until bytes
    /// are appended.
    ///
    /// - Parameter limit: bytes that the line may have, CRLF included; beyond it `tooLong` is thrown.
    /// - Throws: a fault for any control byte but tab, and for CR or LF alone. Source: RFC 9112 §2.2, RFC 9110 §5.5.
    mutating func nextLine(limit: Int, tooLong: @autoclosure () -> WireFault) throws(WireFault) -> Range<Int>?
    {
        let end = start + min(limit, count)
        scanned = bytes.withUnsafeBufferPointer { Self.firstForbidden(in: $0, from: scanned, to: end) }
        if scanned < end, bytes[scanned] != 0x0D { throw fault(at: scanned) }
        if scanned + 1 < end {
            guard bytes[scanned + 1] == 0x0A else { throw fault(at: scanned) }
            let line = start..<scanned
            drop(line.count + 2)
            return line
        }
        guard count <= limit else { throw tooLong() }
        return nil
    }

    /// Uses up CR LF. False when it has not come yet.
    mutating func dropLineEnd(orThrow fault: @autoclosure () -> WireFault) throws(WireFault) -> Bool {
        if count >= 1, bytes[start] != 0x0D { throw fault() }
        guard count >= 2 else { return false }
        if bytes[start + 1] != 0x0A { throw fault() }
        drop(2)
        return true
    }

    func read<Value>(
        _ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) throws(WireFault) -> Value
    ) throws(WireFault) -> Value {
        try bytes.withUnsafeBufferPointer { whole throws(WireFault) in
            try body(UnsafeBufferPointer(rebasing: whole[range]))
        }
    }

    private static func firstForbidden(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int)
        -> Int
    {
        let bytes = UnsafeBufferPointer(rebasing: bytes[..<end])
        var index = bytes.firstControl(from: start)
        while index < end, !bytes[index].isForbiddenControl { index = bytes.firstControl(from: index + 1) }
        return index
    }

    private func fault(at index: Int) -> WireFault {
        switch bytes[index] {
        case 0x0D:
            .malformed("a carriage return stands without a line feed; lines end in CR LF (RFC 9112 §2.2)")
        case 0x0A: .malformed("a line ends in LF alone; lines end in CR LF (RFC 9112 §2.2)")
        case 0x16 where index == start:
            .malformed(
                "this looks like a TLS handshake, but plain HTTP is spoken here; use http:// in the URL")
        case let byte:
            .malformed("the control byte 0x\(String(byte, radix: 16)) stands in the head of the message")
        }
    }

    /// Gives back storage. What is left moves to the front when it is less than what was used up, so the cost stays linear.
    mutating func compact() {
        if start == bytes.count {
            if bytes.capacity > Self.keptCapacity {
                bytes = []
            } else {
                bytes.removeAll(keepingCapacity: true)
            }
        } else if start >= count {
            bytes.removeSubrange(..<start)
        } else {
            return
        }
        scanned = max(0, scanned - start)
        start = 0
    }
}
