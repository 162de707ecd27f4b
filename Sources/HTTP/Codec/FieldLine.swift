import Essentials

/// One header field as it stands on a line of its own. Source: RFC 9112 §5, RFC 9110 §5.
struct FieldLine {
    /// The fields that say how a message is framed and where it goes.
    enum Role {
        case host, contentLength, transferEncoding, connection, expect, other
    }

    let name: String
    let value: String
    let role: Role

    /// - Parameter line: without its CRLF and not empty; control bytes were refused before.
    init(_ line: UnsafeBufferPointer<UInt8>) throws(WireFault) {
        guard let first = line.first, !first.isBlank else {
            throw .malformed(
                "a header line begins with white space; folded lines are obsolete (RFC 9112 §5.2)")
        }
        guard let colon = line.firstIndex(of: 0x3A) else {
            throw .malformed("a header line has no colon: \(excerpt(line))")
        }
        let name = UnsafeBufferPointer(rebasing: line[..<colon])
        try Self.check(name)
        self.name = String(decoding: name, as: UTF8.self)
        role = Self.role(of: name)
        value = Self.text(Self.trimmed(UnsafeBufferPointer(rebasing: line[(colon + 1)...])))
        if CombiningMarks.areTooMany(in: line) {
            throw .malformed("the header field \(excerpt(name)) cannot be read: \(CombiningMarks.sentence)")
        }
    }

    private static func check(_ name: UnsafeBufferPointer<UInt8>) throws(WireFault) {
        if name.isEmpty { throw .malformed("a header line begins with a colon; its name is missing") }
        if name.last?.isBlank == true {
            throw .malformed("white space stands before the colon of \(excerpt(name)) (RFC 9112 §5.1)")
        }
        if !name.allSatisfy(\.isToken) {
            throw .malformed("\(excerpt(name)) is not a header name (RFC 9110 §5.1)")
        }
    }

    private static func role(of name: UnsafeBufferPointer<UInt8>) -> Role {
        switch name.count {
        case 4 where name.equals(lowercase: "host"): .host
        case 6 where name.equals(lowercase: "expect"): .expect
        case 10 where name.equals(lowercase: "connection"): .connection
        case 14 where name.equals(lowercase: "content-length"): .contentLength
        case 17 where name.equals(lowercase: "transfer-encoding"): .transferEncoding
        default: .other
        }
    }

    private static func trimmed(_ value: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var range = value.indices
        while let first = range.first, value[first].isBlank { range.removeFirst() }
        while let last = range.last, value[last].isBlank { range.removeLast() }
        return UnsafeBufferPointer(rebasing: value[range])
    }

    /// UTF-8 where it is that, else ISO 8859-1, which every byte string is.
    static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

/// The beginning of what a client sent, for a sentence: at most 40 bytes, quoted, whatever is not visible ASCII replaced.
func excerpt(_ bytes: some Collection<UInt8>) -> String {
    let visible = bytes.prefix(40).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
    return "“" + String(decoding: visible, as: UTF8.self) + (bytes.count > 40 ? "…”" : "”")
}
