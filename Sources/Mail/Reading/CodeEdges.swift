/// What stands right before and behind a shape.
struct CodeEdges {
    private let bytes: [UInt8]
    private let range: Range<Int>
    private let before: UInt8
    private let behind: UInt8

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        (self.bytes, self.range) = (bytes, range)
        before = range.lowerBound > 0 ? bytes[range.lowerBound - 1] : 0x20
        behind = range.upperBound < bytes.count ? bytes[range.upperBound] : 0x20
    }

    private func at(_ index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0x20 }
    private func isWord(_ byte: UInt8) -> Bool { byte.isAlphanumeric }

    var isBound: Bool {
        guard before == UInt8(ascii: "#"), let at = line.firstIndex(where: { $0 > 0x20 }),
            bytes[at] == UInt8(ascii: "@")
        else { return false }
        return bytes[at..<(range.lowerBound - 1)].split(whereSeparator: { $0 <= 0x20 }).count == 1
    }

    /// The line up to the shape.
    private var line: ArraySlice<UInt8> {
        let start = bytes[max(0, range.lowerBound - 300)..<range.lowerBound].lastIndex {
            $0 == .lineFeed || $0 == .carriageReturn
        }.map { $0 + 1 }
        return bytes[(start ?? max(0, range.lowerBound - 300))..<range.lowerBound]
    }

    var isAlone: Bool {
        if line.contains(where: { isWord($0) || $0 >= 0xC3 && $0 < 0xE2 || $0 > 0xE3 }) { return false }
        let rest = bytes[range.upperBound...].prefix { $0 != .lineFeed && $0 != .carriageReturn }.prefix(300)
        return !rest.contains { isWord($0) || $0 >= 0xC3 && $0 < 0xE2 || $0 > 0xE3 }
    }

    var flaw: CodeDecision.Reason? {
        switch before {
        case UInt8(ascii: "$"): return .price
        case UInt8(ascii: "+"): return .phone
        case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "_"), UInt8(ascii: "&"), UInt8(ascii: "%"),
            UInt8(ascii: "~"), UInt8(ascii: "="):
            if isWord(at(range.lowerBound - 2)) || before != UInt8(ascii: "=") && before != UInt8(ascii: "_")
            {
                return .address
            }
        case UInt8(ascii: "."), UInt8(ascii: ","):
            if at(range.lowerBound - 2).isDigit { return .numberOrDate }
        case UInt8(ascii: ":"): if at(range.lowerBound - 2).isDigit { return .time }
        case UInt8(ascii: "*"): if behind != UInt8(ascii: "*") { return .masked }
        case UInt8(ascii: "#"): if range.count == 6 || range.count == 8 { return .colour }
        default: break
        }
        if let flaw = beforeMark { return flaw }
        switch behind {
        case UInt8(ascii: "%"), UInt8(ascii: "$"): return .price
        case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "_"), UInt8(ascii: "="), UInt8(ascii: "+"):
            if isWord(at(range.upperBound + 1)) { return .address }
        case UInt8(ascii: "."), UInt8(ascii: ","):
            if isWord(at(range.upperBound + 1)) && at(range.upperBound + 1).isDigit { return .numberOrDate }
        case UInt8(ascii: ":"): if at(range.upperBound + 1).isDigit { return .time }
        default: break
        }
        return behindMark
    }

    /// Signs of currencies, of a copyright and of masked digits, before it and behind a blank.
    private var beforeMark: CodeDecision.Reason? {
        let start = before == 0x20 ? range.lowerBound - 1 : range.lowerBound
        let mark = bytes[max(0, start - 3)..<max(0, start)]
        if mark.suffix(3).elementsEqual("•".utf8) || mark.suffix(3).elementsEqual("…".utf8) { return .masked }
        if mark.last == UInt8(ascii: "+") && before == 0x20 { return .phone }
        if mark.last == UInt8(ascii: "$") { return .price }
        if mark.suffix(2).elementsEqual("©".utf8) { return .year }
        return isCurrency(mark) ? .price : nil
    }

    private var behindMark: CodeDecision.Reason? {
        let start = behind == 0x20 ? range.upperBound + 1 : range.upperBound
        let mark = bytes[min(start, bytes.count)..<min(start + 3, bytes.count)]
        if mark.first == UInt8(ascii: "%") || mark.first == UInt8(ascii: "$") { return .price }
        return isCurrency(mark) ? .price : nil
    }

    /// U+20A0 to U+20BF, £, ¥.
    private func isCurrency(_ mark: ArraySlice<UInt8>) -> Bool {
        if mark.count >= 3, mark.suffix(3).first == 0xE2, mark.suffix(2).first == 0x82, mark.last ?? 0 >= 0xA0
        {
            return true
        }
        return mark.suffix(2).elementsEqual("£".utf8) || mark.suffix(2).elementsEqual("¥".utf8)
            || mark.prefix(2).elementsEqual("£".utf8)
            || mark.prefix(2).elementsEqual("¥".utf8)
    }
}
