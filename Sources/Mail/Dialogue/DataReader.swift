/// Reads a mail behind `DATA` up to the line with a dot alone, and takes the dots away that were put before others.
///
/// Source: RFC 5321 §4.1.1.4, §4.5.2. Only CR LF ends a line, and only CR LF `.` CR LF the mail (§2.3.8).
struct DataReader: Sendable {
    enum Outcome: Equatable {
        case needsMore, end
        case fault(MailFault)
    }

    private enum Place { case lineStart, dot, text, carriageReturn, dotCarriageReturn }

    /// Bytes beyond the limit that are read to find the end of the mail, as a multiple of the limit.
    private static let patience = 4

    /// Bytes in which the end of a mail is found that takes all of its room.
    private static let end = 64

    private static let lineEnd: [UInt8] = [.carriageReturn, .lineFeed]

    private(set) var content: [UInt8] = []
    /// There was more than the limit; ``content`` is empty then.
    private(set) var isTooLarge = false
    private var place = Place.lineStart
    private var lineBytes = 0
    private var total = 0
    private let limits: MailLimits
    /// Bytes that the sender says the mail has, 0 when unsaid.
    private let declared: Int
    /// Bytes of storage that ``content`` may take.
    private var room: Int

    init(_ limits: MailLimits, declared: Int = 0) {
        self.limits = limits
        self.declared = declared
        room = limits.freeBytes
    }

    /// Bytes of input that can be read before more room is needed.
    var readableBytes: Int { isTooLarge ? .max : room - content.count }

    /// Bytes of storage that the content is to have in all before any of `count` more bytes of input is read; nil when it has enough.
    func wantedRoom(for count: Int) -> Int? {
        guard count > 0, readableBytes <= 0 else { return nil }
        // What is declared is taken once and exactly; what is not grows by half.
        return min(limits.messageBytes, max(content.count + count, declared, room / 2 * 3)) + Self.end
    }

    mutating func grantRoom(_ bytes: Int) {
        content.reserveCapacity(bytes)
        room = bytes
    }

    /// Takes what belongs to the mail from the beginning of `input`.
    mutating func read(_ input: UnsafeRawBufferPointer) -> (consumed: Int, Outcome) {
        var index = 0
        while index < input.count {
            let byte = input[index]
            switch place {
            case .text:
                if let fault = takeText(input, &index) { return (index, .fault(fault)) }
                continue
            case .lineStart where byte == .dot: place = .dot
            case .lineStart, .dot:
                guard byte == .carriageReturn, place == .dot else {
                    place = .text
                    continue
                }
                place = .dotCarriageReturn
            case .dotCarriageReturn, .carriageReturn:
                guard byte == .lineFeed else { return (index, .fault(.bareCarriageReturn(in: "The mail"))) }
                if place == .dotCarriageReturn { return (index + 1, .end) }
                Self.lineEnd.withUnsafeBytes { keep($0) }
                (place, lineBytes) = (.lineStart, 0)
            }
            index += 1
        }
        return (
            index,
            total > limits.messageBytes * Self.patience
                ? .fault(.flood(limit: limits.messageBytes)) : .needsMore
        )
    }

    /// Up to the end of the line or of the input.
    private mutating func takeText(_ input: UnsafeRawBufferPointer, _ index: inout Int) -> MailFault? {
        let start = index
        while index < input.count, input[index] != .carriageReturn, input[index] != .lineFeed { index += 1 }
        lineBytes += index - start
        guard lineBytes <= limits.lineBytes else { return .lineTooLong(limit: limits.lineBytes) }
        keep(UnsafeRawBufferPointer(rebasing: input[start..<index]))
        guard index < input.count else { return nil }
        guard input[index] == .carriageReturn else { return .bareLineFeed(in: "The mail") }
        place = .carriageReturn
        index += 1
        return nil
    }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        total += bytes.count
        guard !isTooLarge else { return }
        if total > limits.messageBytes {
            (isTooLarge, content) = (true, [])
        } else {
            content.append(contentsOf: bytes)
        }
    }

    /// Hands the mail over.
    mutating func take() -> [UInt8] {
        defer { content = [] }
        return content
    }
}

extension UInt8 {
    static let lineFeed: UInt8 = 10
    static let carriageReturn: UInt8 = 13
    static let dot = UInt8(ascii: ".")
}
