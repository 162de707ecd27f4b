/// The body of a GET request, as authentication codes cover it: its parameters decoded once, sorted by name and value, and
/// encoded in form style. Parameters without `=` are left out.
package enum CanonicalQuery {
    /// - Parameter query: as it stands in the request target, without the question mark.
    /// - Throws: ``ProtocolFault`` when an escape is no two hexadecimal digits.
    package static func body(of query: String?) throws -> [UInt8] {
        guard let query else { return [] }
        var parameters: [(name: [UInt8], value: [UInt8])] = []
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            guard let sign = part.firstIndex(of: UInt8(ascii: "=")) else { continue }
            parameters.append(
                (try decoded(part[..<sign]), try decoded(part[part.index(after: sign)...])))
        }
        parameters.sort { isOrdered($0.name, $1.name) ?? isOrdered($0.value, $1.value) ?? false }
        let texts = parameters.map { encoded($0.name) + [UInt8(ascii: "=")] + encoded($0.value) }
        return Array(texts.joined(separator: [UInt8(ascii: "&")]))
    }

    /// By UTF-16 units, as clients compare; `nil` for equals.
    private static func isOrdered(_ one: [UInt8], _ other: [UInt8]) -> Bool? {
        let (one, other) = (String(decoding: one, as: UTF8.self), String(decoding: other, as: UTF8.self))
        if one.utf16.elementsEqual(other.utf16) { return nil }
        return one.utf16.lexicographicallyPrecedes(other.utf16)
    }

    private static func decoded(_ text: Substring.UTF8View) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let character = rest.popFirst() {
            switch character {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = digit(rest.popFirst()), let low = digit(rest.popFirst()) else {
                    throw ProtocolFault.malformed(
                        part: "query", expected: "two hexadecimal digits after %", got: "something else")
                }
                bytes.append(high << 4 | low)
            default: bytes.append(character)
            }
        }
        return bytes
    }

    private static func digit(_ character: UInt8?) -> UInt8? {
        character.flatMap { Character(Unicode.Scalar($0)).hexDigitValue }.map(UInt8.init)
    }

    private static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "_"):
                text.append(byte)
            case UInt8(ascii: " "): text.append(UInt8(ascii: "+"))
            default: text += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return text
    }

    private static let hex = Array("0123456789ABCDEF".utf8)
}
