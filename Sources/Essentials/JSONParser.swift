/// Reads one JSON value in time that grows with its length alone, on a stack that its depth cannot exhaust.
///
/// Source: RFC 8259. Of members with one name the last counts (RFC 7519 §4).
struct JSONParser {
    /// Levels of arrays and objects. Exported fixtures wrap a value in some more, and are read to a depth of 64.
    static let depthLimit = 32

    private let bytes: [UInt8]
    private var index = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Throws: `DecodingError` when the bytes are not one JSON value in UTF-8.
    static func value(of bytes: [UInt8]) throws -> JSONValue {
        try JSONText.check(bytes)
        var parser = JSONParser(bytes)
        let value = try parser.value(depth: 0)
        guard parser.next == nil else { throw parser.fault("something follows the value") }
        return value
    }

    /// The byte after white space; nil at the end.
    private var next: UInt8? {
        mutating get {
            while index < bytes.count {
                switch bytes[index] {
                case 0x20, 0x09, 0x0A, 0x0D: index += 1
                case let byte: return byte
                }
            }
            return nil
        }
    }

    private mutating func value(depth: Int) throws -> JSONValue {
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw fault("it ends where a value is expected")
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws -> JSONValue {
        try enter(depth)
        var members: [String: JSONValue] = [:]
        if takes("}") { return .object(members) }
        repeat {
            guard next == UInt8(ascii: "\"") else { throw fault("expected the name of a member") }
            let name = try string()
            guard takes(":") else { throw fault("expected a colon after the name of a member") }
            members[name] = try value(depth: depth)
        } while takes(",")
        guard takes("}") else { throw fault("expected a comma or the end of an object") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws -> JSONValue {
        try enter(depth)
        var elements: [JSONValue] = []
        if takes("]") { return .array(elements) }
        repeat { elements.append(try value(depth: depth)) } while takes(",")
        guard takes("]") else { throw fault("expected a comma or the end of an array") }
        return .array(elements)
    }

    private mutating func enter(_ depth: Int) throws {
        guard depth <= Self.depthLimit else { throw fault("more than \(Self.depthLimit) levels are nested") }
        index += 1
    }

    private mutating func takes(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func word(_ text: String, _ value: JSONValue) throws -> JSONValue {
        guard bytes[index...].starts(with: text.utf8) else { throw fault("expected \(text)") }
        index += text.utf8.count
        return value
    }

    /// A whole number that fits is an integer, however it is written.
    private mutating func number() throws -> JSONValue {
        let start = index
        _ = skips("-")
        let whole = skipDigits()
        var isWellFormed = whole == 1 || (whole > 1 && bytes[index - whole] != UInt8(ascii: "0"))
        var isInteger = true
        if skips(".") { (isWellFormed, isInteger) = (isWellFormed && skipDigits() > 0, false) }
        if skips("e") || skips("E") {
            if !skips("-") { _ = skips("+") }
            (isWellFormed, isInteger) = (isWellFormed && skipDigits() > 0, false)
        }
        guard isWellFormed else { throw fault("expected a value") }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isInteger, let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw fault("a number is too large") }
        return Int(exactly: number).map(JSONValue.integer) ?? .number(number)
    }

    private mutating func skips(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skipDigits() -> Int {
        let start = index
        while index < bytes.count, 0x30...0x39 ~= bytes[index] { index += 1 }
        return index - start
    }

    private mutating func string() throws -> String {
        index += 1
        var text: [UInt8] = []
        while true {
            let start = index
            skipPlainText()
            guard index < bytes.count else { throw fault("a string does not end") }
            let run = bytes[start..<index]
            index += 1
            switch bytes[index - 1] {
            case UInt8(ascii: "\""):
                // Most strings have nothing escaped in them, and are read where they lie.
                return text.isEmpty ? try self.text(of: run) : try self.text(of: text[...] + run)
            case UInt8(ascii: "\\"):
                text += run
                try addEscaped(to: &text)
            default: throw fault("a string has a control character in it; it must be escaped")
            }
        }
    }

    /// To the next byte that means something inside of a string, or to the end.
    private mutating func skipPlainText() {
        while index < bytes.count, bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\""),
            bytes[index] != UInt8(ascii: "\\")
        { index += 1 }
    }

    private func text(of run: ArraySlice<UInt8>) throws -> String {
        guard let text = String(validating: run, as: UTF8.self) else { throw fault("a string is not UTF-8") }
        return text
    }

    private mutating func addEscaped(to text: inout [UInt8]) throws {
        guard index < bytes.count else { throw fault("a string does not end") }
        defer { index += 1 }
        switch bytes[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(bytes[index])
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: try escapedScalar().utf8)
        default: throw fault("a string has an unknown escape")
        }
    }

    /// Stands on the `u` before, and on the last digit afterwards.
    private mutating func escapedScalar() throws -> Unicode.Scalar {
        var code = try hexDigits()
        if 0xD800...0xDBFF ~= code {
            guard index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "\\"),
                bytes[index + 2] == UInt8(ascii: "u")
            else { throw fault("a surrogate stands alone") }
            index += 2
            let low = try hexDigits()
            guard 0xDC00...0xDFFF ~= low else { throw fault("a surrogate stands alone") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw fault("a surrogate stands alone") }
        return scalar
    }

    private mutating func hexDigits() throws -> UInt32 {
        guard index + 4 < bytes.count else { throw fault("expected four hexadecimal digits after \\u") }
        var code: UInt32 = 0
        for offset in 1...4 {
            guard let digit = bytes[index + offset].hexDigit else {
                throw fault("expected four hexadecimal digits after \\u")
            }
            code = code << 4 | UInt32(digit)
        }
        index += 4
        return code
    }

    private func fault(_ reason: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "\(reason), at byte \(index)"))
    }
}

/// What is no JSON text whoever reads it.
package enum JSONText {
    /// - Throws: `DecodingError` for text in UTF-16, which a decoder of Foundation guesses from NUL bytes although RFC 8259 §8.1 has UTF-8 alone, and
    ///   for what ``CombiningMarks`` are too many in.
    package static func check(_ bytes: [UInt8]) throws {
        if bytes.contains(0) { throw fault("it is not UTF-8: a byte of it is 0") }
        if CombiningMarks.areTooMany(in: bytes) { throw fault(CombiningMarks.sentence) }
    }

    private static func fault(_ reason: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: reason))
    }
}
