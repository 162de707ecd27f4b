import Essentials

/// Text of a mail from its bytes: the charsets that are known, by the names that IANA registers for them.
enum Charset: Sendable {
    case utf8, ascii, latin1, latin9, windows1252
    case utf16(isLittleEndian: Bool?)

    /// - Parameter name: in any case, without quotation marks.
    init?(_ name: String) {
        switch name.asciiLowercased {
        case "utf-8", "utf8": self = .utf8
        case "us-ascii", "ascii", "ansi_x3.4-1968", "iso646-us": self = .ascii
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1": self = .latin1
        case "iso-8859-15", "iso8859-15", "iso_8859-15", "latin-9", "latin9": self = .latin9
        case "windows-1252", "cp1252", "cp-1252": self = .windows1252
        case "utf-16": self = .utf16(isLittleEndian: nil)
        case "utf-16le": self = .utf16(isLittleEndian: true)
        case "utf-16be": self = .utf16(isLittleEndian: false)
        default: return nil
        }
    }

    /// What cannot be read becomes U+FFFD, and `isDamaged` true.
    func text(_ bytes: ArraySlice<UInt8>, _ isDamaged: inout Bool) -> String {
        switch self {
        case .utf8, .ascii:
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            // Bytes beyond ASCII that are no UTF-8 come from programs that do not know their charset.
            isDamaged = true
            return String(decoding: bytes, as: UTF8.self)
        case .latin1: return Self.text(bytes) { UInt32($0) }
        case .latin9: return Self.text(bytes) { Self.latin9Changes[$0] ?? UInt32($0) }
        case .windows1252:
            return Self.text(bytes) { byte in
                0x80...0x9F ~= byte ? UInt32(Self.windowsMiddle[Int(byte - 0x80)]) : UInt32(byte)
            }
        case .utf16(let isLittleEndian): return Self.utf16(bytes, isLittleEndian, &isDamaged)
        }
    }

    /// A field of a header, whose bytes beyond ASCII are UTF-8 (RFC 6532), or what Windows made of them.
    static func header(_ bytes: ArraySlice<UInt8>) -> String {
        var isDamaged = false
        return String(validating: bytes, as: UTF8.self) ?? Charset.windows1252.text(bytes, &isDamaged)
    }

    private static func text(_ bytes: ArraySlice<UInt8>, _ scalar: (UInt8) -> UInt32) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(scalar(byte)) ?? "\u{FFFD}") }
        return String(scalars)
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

    /// Where ISO-8859-15 differs from ISO-8859-1. Source: ISO/IEC 8859-15, as in unicode.org/Public/MAPPINGS/ISO8859/8859-15.TXT.
    private static let latin9Changes: [UInt8: UInt32] = [
        0xA4: 0x20AC, 0xA6: 0x160, 0xA8: 0x161, 0xB4: 0x17D, 0xB8: 0x17E, 0xBC: 0x152, 0xBD: 0x153,
        0xBE: 0x178,
    ]

    /// Bytes 0x80 to 0x9F; the five that mean nothing stay what they are. Source: WHATWG Encoding Standard, index-windows-1252.
    private static let windowsMiddle: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152,
        0x8D, 0x17D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153,
        0x9D, 0x17E, 0x178,
    ]
}
