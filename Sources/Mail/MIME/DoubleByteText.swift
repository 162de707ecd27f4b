/// Reads charsets of East Asia, in which a letter takes one byte or two.
///
/// Source: WHATWG Encoding Standard §10 to §13, ISO-2022-JP as RFC 1468; tables of `script/charsets`. The four bytes of GB 18030 and JIS X 0212 are not
/// read: each becomes U+FFFD.
struct DoubleByteText {
    enum Kind: Sendable { case shiftJIS, eucJP, eucKR, gbk, big5 }

    private let kind: Kind
    private let tables = CharsetTables.shared
    private(set) var isDamaged = false
    private var units: [UInt16] = []

    init(_ kind: Kind) { self.kind = kind }

    mutating func text(_ bytes: ArraySlice<UInt8>) -> String {
        units.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let size = read(bytes, index)
            index += size
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// - Returns: the bytes that were read.
    private mutating func read(_ bytes: ArraySlice<UInt8>, _ index: Int) -> Int {
        let lead = bytes[index]
        if lead < 0x80 {
            units.append(UInt16(lead))
            return 1
        }
        if kind == .shiftJIS, 0xA1...0xDF ~= lead {
            units.append(0xFF61 + UInt16(lead - 0xA1))
            return 1
        }
        guard index + 1 < bytes.endIndex else { return damage(1) }
        let trail = bytes[index + 1]
        if kind == .eucJP, lead == 0x8E, 0xA1...0xDF ~= trail {
            units.append(0xFF61 + UInt16(trail - 0xA1))
            return 2
        }
        if kind == .eucJP, lead == 0x8F, index + 2 < bytes.endIndex, trail >= 0xA1, bytes[index + 2] >= 0xA1 {
            return damage(3)
        }
        if kind == .gbk, 0x30...0x39 ~= trail, index + 3 < bytes.endIndex { return damage(4) }
        guard let unit = unit(lead, trail), unit != 0xFFFD else { return damage(trail < 0x80 ? 1 : 2) }
        units.append(unit)
        return 2
    }

    private mutating func damage(_ size: Int) -> Int {
        isDamaged = true
        units.append(0xFFFD)
        return size
    }

    private func unit(_ lead: UInt8, _ trail: UInt8) -> UInt16? {
        switch kind {
        case .gbk:
            cell(
                tables.gbk, lead, 0x81, 190,
                trail < 0x40 || trail == 0x7F ? nil : Int(trail) - (trail < 0x7F ? 0x40 : 0x41))
        case .big5: cell(tables.big5, lead, 0xA1, 157, Self.big5Trail(trail))
        case .eucKR: cell(tables.korean, lead, 0x81, 178, Self.koreanTrail(trail))
        case .eucJP: cell(tables.jis, lead, 0xA1, 94, trail < 0xA1 ? nil : Int(trail) - 0xA1)
        case .shiftJIS: shiftJIS(lead, trail)
        }
    }

    private func cell(_ table: [UInt16], _ lead: UInt8, _ first: UInt8, _ width: Int, _ column: Int?)
        -> UInt16?
    {
        guard let column, column < width, lead >= first else { return nil }
        let index = Int(lead - first) * width + column
        return index < table.count ? table[index] : nil
    }

    private static func big5Trail(_ trail: UInt8) -> Int? {
        switch trail {
        case 0x40...0x7E: Int(trail) - 0x40
        case 0xA1...0xFE: Int(trail) - 0xA1 + 63
        default: nil
        }
    }

    private static func koreanTrail(_ trail: UInt8) -> Int? {
        switch trail {
        case 0x41...0x5A: Int(trail) - 0x41
        case 0x61...0x7A: Int(trail) - 0x61 + 26
        case 0x81...0xFE: Int(trail) - 0x81 + 52
        default: nil
        }
    }

    private func shiftJIS(_ lead: UInt8, _ trail: UInt8) -> UInt16? {
        guard 0x81...0x9F ~= lead || 0xE0...0xEF ~= lead, 0x40...0xFC ~= trail, trail != 0x7F else {
            return nil
        }
        let pair = Int(lead) - (lead < 0xA0 ? 0x81 : 0xC1)
        let column = Int(trail) - (trail < 0x7F ? 0x40 : 0x41)
        let index = pair * 188 + column
        return index < tables.jis.count ? tables.jis[index] : nil
    }

    /// ISO-2022-JP: escape sequences switch between ASCII and JIS X 0208. Source: RFC 1468.
    mutating func switched(_ bytes: ArraySlice<UInt8>) -> String {
        enum Mode { case ascii, kana, kanji, unknown }
        var (mode, index) = (Mode.ascii, bytes.startIndex)
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == 0x1B {
                let escape = bytes[(index + 1)...].prefix(3)
                index += 3
                if escape.starts(with: "(B".utf8) || escape.starts(with: "(J".utf8) {
                    mode = .ascii
                } else if escape.starts(with: "(I".utf8) {
                    mode = .kana
                } else if escape.starts(with: "$B".utf8) || escape.starts(with: "$@".utf8) {
                    mode = .kanji
                } else if escape.starts(with: "$(".utf8) {
                    (mode, index) = (.unknown, index + 1)
                } else {
                    index -= damage(2)
                }
            } else if byte <= 0x20 || mode == .ascii {
                if byte == .lineFeed { mode = .ascii }
                units.append(byte < 0x80 ? UInt16(byte) : 0xFFFD)
                if byte >= 0x80 { isDamaged = true }
                index += 1
            } else if mode == .kana {
                units.append(0xFF61 + UInt16(byte & 0x7F) - 0x21)
                index += 1
            } else {
                let unit =
                    index + 1 < bytes.endIndex && mode == .kanji
                    ? unit(byte | 0x80, bytes[index + 1] | 0x80) : nil
                if let unit, unit != 0xFFFD { units.append(unit) } else { _ = damage(2) }
                index += 2
            }
        }
        return String(decoding: units, as: UTF16.self)
    }
}
