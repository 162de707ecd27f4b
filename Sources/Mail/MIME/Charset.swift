import Essentials

/// Text of a mail from its bytes: the charsets that are known, by the names that IANA registers for them.
enum Charset: Sendable {
    case utf8
    case utf16(isLittleEndian: Bool?)
    /// One byte for a letter; the number of its table.
    case half(Int)
    case double(DoubleByteText.Kind)
    case iso2022JP

    /// - Parameter name: in any case, without quotation marks.
    init?(_ name: String) {
        guard let known = Self.names[name.asciiLowercased] else { return nil }
        self = known
    }

    private static let names: [String: Charset] = {
        var names: [String: Charset] = [
            "utf-8": .utf8, "utf8": .utf8, "us-ascii": .utf8, "ascii": .utf8, "ansi_x3.4-1968": .utf8,
            "iso646-us": .utf8,
            "utf-16": .utf16(isLittleEndian: nil), "utf-16le": .utf16(isLittleEndian: true),
            "utf-16be": .utf16(isLittleEndian: false),
            "iso-2022-jp": .iso2022JP, "iso-2022-jp-1": .iso2022JP, "iso-2022-jp-2": .iso2022JP,
            "cp50220": .iso2022JP,
        ]
        let doubles: [(DoubleByteText.Kind, [String])] = [
            (.shiftJIS, ["shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j", "cp932"]),
            (.eucJP, ["euc-jp", "x-euc-jp", "eucjp"]),
            (.eucKR, ["euc-kr", "ks_c_5601-1987", "ksc5601", "korean", "cp949", "windows-949", "uhc"]),
            (.gbk, ["gb2312", "gbk", "gb18030", "cp936", "x-gbk", "gb_2312-80", "euc-cn", "windows-936"]),
            (.big5, ["big5", "big5-hkscs", "cn-big5", "cp950", "x-x-big5"]),
        ]
        for (kind, aliases) in doubles { for name in aliases { names[name] = .double(kind) } }
        for (number, half) in CharsetTables.halves.enumerated() {
            for name in half.names { names[name] = .half(number) }
        }
        return names
    }()

    /// What cannot be read becomes U+FFFD, and `isDamaged` true.
    func text(_ bytes: ArraySlice<UInt8>, _ isDamaged: inout Bool) -> String {
        whole(bytes, &isDamaged).withFewMarks
    }

    private func whole(_ bytes: ArraySlice<UInt8>, _ isDamaged: inout Bool) -> String {
        switch self {
        case .utf8:
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            // Bytes beyond ASCII that are no UTF-8 come from programs that do not know their charset.
            isDamaged = true
            return String(decoding: bytes, as: UTF8.self)
        case .half(let number): return Self.half(bytes, CharsetTables.shared.halves[number], &isDamaged)
        case .utf16(let isLittleEndian): return Self.utf16(bytes, isLittleEndian, &isDamaged)
        case .double(let kind):
            var reader = DoubleByteText(kind)
            defer { isDamaged = isDamaged || reader.isDamaged }
            return reader.text(bytes)
        case .iso2022JP:
            var reader = DoubleByteText(.eucJP)
            defer { isDamaged = isDamaged || reader.isDamaged }
            return reader.switched(bytes)
        }
    }

    /// A field of a header, whose bytes beyond ASCII are UTF-8 (RFC 6532), or what Windows made of them.
    static func header(_ bytes: ArraySlice<UInt8>) -> String {
        var isDamaged = false
        let text =
            String(validating: bytes, as: UTF8.self) ?? Charset("windows-1252")?.text(bytes, &isDamaged)
        return (text ?? String(decoding: bytes, as: UTF8.self)).withFewMarks
    }

    /// A text in a charset that is not known: ASCII as it stands, and where more is that is no UTF-8, a word for it instead of rubbish.
    static func undecoded(_ bytes: ArraySlice<UInt8>, _ name: String) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text.withFewMarks }
        var text: [UInt8] = []
        var isOpen = false
        for byte in bytes {
            if byte < 0x80 {
                text.append(byte)
                if byte > 0x20 { isOpen = false }
            } else if !isOpen {
                text += "(not decoded: \(name))".utf8
                isOpen = true
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func half(_ bytes: ArraySlice<UInt8>, _ table: [UInt16], _ isDamaged: inout Bool) -> String
    {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count)
        for byte in bytes {
            let unit = byte < 0x80 ? UInt16(byte) : table[Int(byte - 0x80)]
            if unit == 0xFFFD { isDamaged = true }
            units.append(unit)
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// A byte order mark decides, and big-endian where nothing does. Source: RFC 2781 §4.3.
    private static func utf16(_ bytes: ArraySlice<UInt8>, _ isLittleEndian: Bool?, _ isDamaged: inout Bool)
        -> String
    {
        var bytes = bytes
        var isLittle = isLittleEndian ?? false
        if bytes.starts(with: [0xFF, 0xFE]), isLittleEndian != false {
            isLittle = true
            bytes = bytes.dropFirst(2)
        } else if bytes.starts(with: [0xFE, 0xFF]), isLittleEndian != true {
            isLittle = false
            bytes = bytes.dropFirst(2)
        }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isLittle ? second << 8 | first : first << 8 | second)
            index += 2
        }
        if let text = String(validating: units, as: UTF16.self), index == bytes.endIndex { return text }
        isDamaged = true
        return String(decoding: units, as: UTF16.self)
    }
}
