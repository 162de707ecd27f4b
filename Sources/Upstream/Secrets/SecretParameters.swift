/// Masks the values of parameters with the names of secrets, wherever an address or a form stands in a text: in a query, a fragment, a `Location`, a
/// member of JSON, a link of a page, or as the value of another parameter.
///
/// One look at each byte, since the text comes from a service that may be hostile.
struct SecretParameters {
    enum Context {
        /// A form or a query alone, which begins with the name of a parameter.
        case form
        /// One address.
        case address
        /// Anything, with addresses in it.
        case text
    }

    let context: Context

    /// A byte as it is meant, and how it is written: plain, percent-encoded as often as `depth` says, as an escape of JSON or an entity of HTML.
    private struct Sign {
        let byte: UInt8
        let depth: Int
        /// Behind it.
        let end: Int
    }

    private static let nameLimit = 100
    private static let depthLimit = 8

    func masked(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(UInt8(ascii: "=")) || text.contains(UInt8(ascii: "%")) else { return text }
        var made: [UInt8] = []
        var (copied, place) = (0, 0)
        var begin: Sign? = context == .form ? Sign(byte: UInt8(ascii: "&"), depth: 0, end: 0) : nil
        while place < text.count {
            let sign = begin ?? Self.sign(text, at: place)
            begin = nil
            guard Self.begins(sign), let value = value(text, of: sign) else {
                // A name that is none may have the beginning of the next one in it.
                place = sign.end
                continue
            }
            place = value.start
            guard value.isSecret else { continue }
            let end = valueEnd(text, from: value.start, depth: sign.depth)
            if end.place == value.start { continue }
            made += text[copied..<value.start]
            made += Mask.of(bytes: end.plain)
            (copied, place) = (end.place, end.place)
        }
        return copied == 0 ? text : made + text[copied...]
    }

    private static func begins(_ sign: Sign) -> Bool {
        switch sign.byte {
        case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "&"): true
        case UInt8(ascii: ";"): sign.depth == 0
        default: false
        }
    }

    /// Where the value of the parameter begins that this sign begins; nil where there is none.
    private func value(_ text: [UInt8], of begin: Sign) -> (start: Int, isSecret: Bool)? {
        var (name, place): ([UInt8], Int) = ([], begin.end)
        while place < text.count, name.count <= Self.nameLimit {
            let sign = Self.sign(text, at: place)
            place = sign.end
            if sign.byte == UInt8(ascii: "="), sign.depth <= begin.depth {
                return (place, SecretNames.isSecret(name, inRequest: true))
            }
            guard sign.byte.isNameByte, sign.depth <= begin.depth + 1 else { return nil }
            name.append(sign.byte)
        }
        return nil
    }

    private func valueEnd(_ text: [UInt8], from start: Int, depth: Int) -> (place: Int, plain: [UInt8]) {
        var (plain, place): ([UInt8], Int) = ([], start)
        while place < text.count {
            let sign = Self.sign(text, at: place)
            if ends(sign, depth) { break }
            plain.append(sign.byte)
            place = sign.end
        }
        return (place, plain)
    }

    private func ends(_ sign: Sign, _ depth: Int) -> Bool {
        if sign.byte == UInt8(ascii: "&") { return sign.depth <= depth }
        if sign.byte == UInt8(ascii: "#"), context != .form || depth > 0 { return sign.depth <= depth }
        return context == .text && sign.depth == 0 && " \t\r\n\"'<>\\".utf8.contains(sign.byte)
    }

    private static func sign(_ text: [UInt8], at place: Int) -> Sign {
        let plain = Sign(byte: text[place], depth: 0, end: place + 1)
        switch plain.byte {
        case UInt8(ascii: "%"):
            var (depth, digits) = (1, place + 1)
            while depth < depthLimit, text[digits...].starts(with: "25".utf8) {
                (depth, digits) = (depth + 1, digits + 2)
            }
            if let byte = number(text[digits...].prefix(2), 2) {
                return Sign(byte: byte, depth: depth, end: digits + 2)
            }
            // `%25`, and nothing that it stands before.
            return depth == 1 ? plain : Sign(byte: plain.byte, depth: depth - 1, end: digits)
        case UInt8(ascii: "\\"):
            let rest = text[(place + 1)...]
            if rest.first == UInt8(ascii: "/") {
                return Sign(byte: UInt8(ascii: "/"), depth: 0, end: place + 2)
            }
            guard rest.first == UInt8(ascii: "u"), let byte = number(rest.dropFirst().prefix(4), 4) else {
                return plain
            }
            return Sign(byte: byte, depth: 0, end: place + 6)
        case UInt8(ascii: "&"):
            let rest = text[(place + 1)...].prefix(5)
            let entity = ["amp;", "#38;", "#x26;"].first { rest.starts(with: $0.utf8) }
            return Sign(byte: plain.byte, depth: 0, end: plain.end + (entity?.utf8.count ?? 0))
        default: return plain
        }
    }

    /// What hexadecimal digits say; nil for others, and for more than a byte holds.
    private static func number(_ digits: ArraySlice<UInt8>, _ count: Int) -> UInt8? {
        guard digits.count == count, digits.allSatisfy(\.isHexDigit) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { 0x30...0x39 ~= self || 0x41...0x46 ~= self || 0x61...0x66 ~= self }

    fileprivate var isNameByte: Bool {
        0x30...0x39 ~= self || 0x41...0x5A ~= self || 0x61...0x7A ~= self || "_-.~[]$:+".utf8.contains(self)
    }
}
