import Essentials

/// Collects the body of one message. Source: RFC 9112 §6 and §7.
struct BodyReader: Sendable {
    enum Framing: Sendable {
        case length(Int)
        case chunked
        /// Everything until the connection closes; answers only.
        case untilClose
    }

    private enum Stage {
        case data(left: Int)
        case dataEnd
        case size
        case trailer
        case done
    }

    /// Bytes that the size line of a chunk may have, extensions included.
    private static let longestSizeLine = 1024
    private static let mostTrailers = 100

    private(set) var bytes: [UInt8] = []
    /// Bytes of body that have come, also those taken away since.
    private(set) var received = 0
    private var stage: Stage
    private let isChunked: Bool
    private let limit: Int
    /// Bytes that extensions and trailers of one body may still have: they must not make a body endless.
    private var spare: Int
    private var trailers = 0
    /// Bytes of storage that ``bytes`` may take.
    private var room: Int
    /// What was granted of it.
    private var granted = 0
    /// Bytes of storage without which nothing more is read; nil while there is enough.
    private(set) var wantedRoom: Int?

    /// The first piece of room that a chunked body asks for, beyond what it may take unasked.
    private static let firstRoom = 64 * 1024

    /// - Parameters:
    ///   - limit: bytes of body; beyond it 413.
    ///   - spare: bytes of chunk extensions and trailers together.
    ///   - free: bytes of storage that it may take unasked; for more, ``wantedRoom`` says what it needs.
    init(_ framing: Framing, limit: Int, spare: Int, free: Int = .max) throws(WireFault) {
        room = free
        isChunked = if case .chunked = framing { true } else { false }
        self.limit = limit
        self.spare = spare
        stage =
            switch framing {
            case .chunked: .size
            case .length(0): .done
            case .length(let length): .data(left: length)
            case .untilClose: .data(left: .max)
            }
        guard case .length(let length) = framing else { return }
        if length > limit { throw Self.tooLarge(limit) }
        if length > free { (room, wantedRoom) = (0, length) }
    }

    /// Bytes of storage that are held.
    var heldBytes: Int { granted > 0 ? granted : bytes.capacity }

    /// Takes the storage that ``wantedRoom`` asks for, once and exactly.
    mutating func grantRoom() {
        guard let wantedRoom else { return }
        bytes.reserveCapacity(wantedRoom)
        (room, granted, self.wantedRoom) = (wantedRoom, wantedRoom, nil)
    }

    /// - Returns: whether the body is whole.
    mutating func read(from queue: inout ByteQueue) throws(WireFault) -> Bool {
        while true {
            let goesOn =
                switch stage {
                case .size: try readSize(from: &queue)
                case .data(let left): try readData(left, from: &queue)
                case .dataEnd: try readDataEnd(from: &queue)
                case .trailer: try readTrailer(from: &queue)
                case .done: false
                }
            if !goesOn { break }
        }
        if case .done = stage { return true }
        return false
    }

    /// The bytes that have come since the last call.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// The value of `Content-Length`: digits and nothing else. Source: RFC 9110 §8.6.
    static func length(_ value: String) throws(WireFault) -> Int {
        guard !value.isEmpty, value.utf8.allSatisfy(\.isDigit), let length = Int(value) else {
            throw .malformed("Content-Length is \(excerpt(value.utf8)), not a decimal number of bytes")
        }
        return length
    }

    private static func tooLarge(_ limit: Int) -> WireFault {
        WireFault(.contentTooLarge, "the body is larger than the \(limit) bytes accepted here")
    }

    private static var sizeLineTooLong: WireFault {
        .malformed("the size line of a chunk is longer than \(longestSizeLine) bytes")
    }

    private static var trailersTooLong: WireFault {
        WireFault(.headersTooLarge, "the trailer fields after the body are too long")
    }

    private mutating func readData(_ left: Int, from queue: inout ByteQueue) throws(WireFault) -> Bool {
        if !isChunked, queue.count > limit - received, left > limit - received { throw Self.tooLarge(limit) }
        let moved = queue.move(min(left, room - bytes.count), to: &bytes)
        received += moved
        if moved == left {
            stage = isChunked ? .dataEnd : .done
        } else {
            stage = .data(left: left - moved)
            if queue.count > 0 { wantedRoom = wantedRoom ?? nextRoom(left - moved) }
        }
        return moved == left
    }

    /// A chunked body asks for what the present chunk needs, and for half as much again as it has, so that many small ones are not
    /// copied again and again.
    private func nextRoom(_ left: Int) -> Int {
        min(limit, max(bytes.count + left, room + room / 2, Self.firstRoom))
    }

    private mutating func readDataEnd(from queue: inout ByteQueue) throws(WireFault) -> Bool {
        guard
            try queue.dropLineEnd(
                orThrow: .malformed("no CR LF follows the data of a chunk; its size may be wrong"))
        else { return false }
        stage = .size
        return true
    }

    private mutating func readSize(from queue: inout ByteQueue) throws(WireFault) -> Bool {
        guard let line = try queue.nextLine(limit: Self.longestSizeLine, tooLong: Self.sizeLineTooLong) else {
            return false
        }
        let (size, extensionBytes) = try queue.read(line, Self.chunkSize)
        guard size <= limit - received else { throw Self.tooLarge(limit) }
        spare -= extensionBytes
        if spare < 0 { throw .malformed("the chunk extensions of the body are too long") }
        stage = size == 0 ? .trailer : .data(left: size)
        return true
    }

    /// Trailer fields are checked like any field, and dropped. Source: RFC 9112 §7.1.2.
    private mutating func readTrailer(from queue: inout ByteQueue) throws(WireFault) -> Bool {
        guard let line = try queue.nextLine(limit: spare + 2, tooLong: Self.trailersTooLong) else {
            return false
        }
        if line.isEmpty {
            stage = .done
            return true
        }
        _ = try queue.read(line) { bytes throws(WireFault) in try FieldLine(bytes) }
        trailers += 1
        guard trailers <= Self.mostTrailers else { throw Self.trailersTooLong }
        spare = max(0, spare - line.count - 2)
        return true
    }

    /// Size and length of the extensions. Source: RFC 9112 §7.1.
    private static func chunkSize(
        _ line: UnsafeBufferPointer<UInt8>
    ) throws(WireFault) -> (size: Int, extensionBytes: Int) {
        let digits = line.prefix { $0.hexDigit != nil }
        // 15 digits fit an Int; no body comes near.
        guard (1...15).contains(digits.count) else {
            throw .malformed("\(excerpt(line)) is not the size of a chunk in hexadecimal")
        }
        let size = digits.reduce(0) { $0 << 4 | Int($1.hexDigit ?? 0) }
        let rest = line[digits.endIndex...]
        if rest.isEmpty { return (size, 0) }
        let name = rest.drop(while: \.isBlank).dropFirst().drop(while: \.isBlank)
        guard rest.first(where: { !$0.isBlank }) == UInt8(ascii: ";"), let first = name.first,
            first.isToken
        else {
            throw .malformed(
                "\(excerpt(rest)) follows the size of a chunk; only an extension may (;name=value)")
        }
        return (size, rest.count)
    }
}
