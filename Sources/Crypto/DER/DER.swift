/// Writes elements of DER. Source: X.690 §8 and §10.
package enum DER {
    package static func element(_ tag: DERTag, _ content: [UInt8]) -> [UInt8] {
        identifier(tag) + length(content.count) + content
    }

    package static func sequence(_ parts: [[UInt8]]) -> [UInt8] { element(.sequence, Array(parts.joined())) }

    package static func set(_ parts: [[UInt8]]) -> [UInt8] { element(.set, Array(parts.joined())) }

    package static func octetString(_ bytes: [UInt8]) -> [UInt8] { element(.octetString, bytes) }

    /// A bit string whose bits are whole bytes.
    package static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(.bitString, [0] + bytes) }

    /// A number that is not negative, most significant byte first.
    package static func unsigned(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return element(.integer, digits.first.map { $0 < 0x80 } == true ? digits : [0] + digits)
    }

    package static func utf8String(_ text: String) -> [UInt8] { element(.utf8String, Array(text.utf8)) }

    package static func printableString(_ text: String) -> [UInt8] {
        element(.printableString, Array(text.utf8))
    }

    /// - Parameter dotted: two arcs or more, such as `2.5.4.3`.
    /// - Throws: when it is not that.
    package static func objectIdentifier(_ dotted: String) throws -> [UInt8] {
        let words = dotted.split(separator: ".", omittingEmptySubsequences: false)
        let arcs = words.compactMap { Int($0) }
        guard arcs.count == words.count, arcs.count >= 2, 0...2 ~= arcs[0], arcs[1] < 40 || arcs[0] == 2,
            arcs.allSatisfy({ 0..<(1 << 48) ~= $0 })
        else { throw CryptoError(call: "DER", message: "no object identifier: \(dotted)") }
        let content = [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2)
        return element(.objectIdentifier, content.flatMap(base128))
    }

    private static func identifier(_ tag: DERTag) -> [UInt8] {
        let first = tag.scope.rawValue << 6 | (tag.isConstructed ? 0x20 : 0)
        return tag.number < 0x1F
            ? [first | UInt8(truncatingIfNeeded: tag.number)] : [first | 0x1F] + base128(tag.number)
    }

    private static func length(_ count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [UInt8(count)] }
        let digits = withUnsafeBytes(of: UInt64(count).bigEndian) { Array($0.drop { $0 == 0 }) }
        return [0x80 | UInt8(digits.count)] + digits
    }

    private static func base128(_ value: Int) -> [UInt8] {
        var digits = [UInt8(value & 0x7F)]
        var rest = value >> 7
        while rest > 0 {
            digits.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return digits
    }
}
