import Essentials

/// A value with parameters: `Content-Type`, `Content-Disposition`. Source: RFC 2045 §5.1; RFC 2231 §3, §4.
struct MIMEParameters {
    private static let most = 200

    /// In lower case, such as `text/plain` or `attachment`.
    var value: String
    private var given: [String: String] = [:]

    init(_ text: String) { self.init(Array(text.utf8)[...]) }

    /// - Parameter bytes: of a field, unfolded.
    init(_ bytes: ArraySlice<UInt8>) {
        let mark = UInt8(ascii: ";")
        let bytes = MIMEComments.without(bytes)
        let first = bytes.prefix { $0 != mark }
        value = Self.clean(first).asciiLowercased
        // A parameter may stand alone, where the value was forgotten.
        var rest = first.contains(UInt8(ascii: "=")) ? [mark] + bytes : bytes[first.endIndex...]
        while rest.first == mark, given.count < Self.most {
            rest = rest.dropFirst()
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != mark }
            rest = rest[name.endIndex...]
            guard rest.first == UInt8(ascii: "=") else { continue }
            let (value, behind) = Self.value(rest.dropFirst())
            let key = Self.clean(name).asciiLowercased
            if given[key] == nil { given[key] = value }
            rest = behind
        }
    }

    /// The parameter, from all of its pieces; nil when it is not there.
    subscript(_ name: String) -> String? {
        if let whole = given[name + "*"] { return Self.extended(whole) }
        if given[name + "*0*"] != nil || given[name + "*0"] != nil { return joined(name) }
        // Against RFC 2047 §5, and what most programs write.
        return given[name].map { EncodedText.decoded($0) }
    }

    /// What stands between the parts; white space at its end is none of it. Source: RFC 2046 §5.1.1.
    var boundary: String? {
        let bytes = Array((self["boundary"] ?? "").utf8)
        guard let last = bytes.lastIndex(where: { !(9...13 ~= $0 || 0x1C...0x20 ~= $0) }) else { return nil }
        return String(decoding: bytes[...last], as: UTF8.self)
    }

    /// `name*0*=utf-8''a%20; name*1=b`. Source: RFC 2231 §4.1.
    private func joined(_ name: String) -> String {
        var (charset, bytes) = (Charset.utf8, [UInt8]())
        for number in 0..<Self.most {
            if let piece = given["\(name)*\(number)*"] {
                let (found, escaped) = number == 0 ? Self.split(piece) : (nil, piece)
                charset = found ?? charset
                bytes += Self.unescaped(escaped)
            } else if let piece = given["\(name)*\(number)"] {
                bytes += piece.utf8
            } else {
                break
            }
        }
        var isDamaged = false
        return charset.text(bytes[...], &isDamaged)
    }

    /// `charset'language'text` with percent signs.
    private static func extended(_ text: String) -> String {
        let (charset, escaped) = split(text)
        var isDamaged = false
        return (charset ?? .utf8).text(unescaped(escaped)[...], &isDamaged)
    }

    private static func split(_ text: String) -> (Charset?, String) {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 ? (Charset(String(parts[0])), String(parts[2])) : (nil, text)
    }

    private static func unescaped(_ text: String) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(TransferEncoding.hex),
                let low = rest.dropFirst().first.flatMap(TransferEncoding.hex)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// A token or a quoted string, and what stands behind it.
    private static func value(_ bytes: ArraySlice<UInt8>) -> (String, ArraySlice<UInt8>) {
        let (mark, quote, escape) = (UInt8(ascii: ";"), UInt8(ascii: "\""), UInt8(ascii: "\\"))
        let bytes = bytes.drop(while: \.isBlank)
        guard bytes.first == quote else {
            let token = bytes.prefix { $0 != mark }
            return (clean(token), bytes[token.endIndex...])
        }
        var (value, index) = ([UInt8](), bytes.startIndex + 1)
        while index < bytes.endIndex, bytes[index] != quote {
            if bytes[index] == escape, index + 1 < bytes.endIndex { index += 1 }
            value.append(bytes[index])
            index += 1
        }
        return (Charset.header(value[...]), bytes[min(index, bytes.endIndex)...].drop { $0 != mark })
    }

    private static func clean(_ bytes: ArraySlice<UInt8>) -> String { Charset.header(bytes.trimmingBlanks) }
}
