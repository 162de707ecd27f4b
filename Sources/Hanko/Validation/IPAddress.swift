/// The rule `ip` of Hanko's validation: an IPv4 or IPv6 address as text.
///
/// Source: RFC 4291 §2.2; RFC 3986 §3.2.2 for the decimal form.
enum IPAddress {
    static func isValid(_ text: String) -> Bool { isVersion4(text[...]) || isVersion6(text) }

    /// 4 or 16 bytes; nil for what is no address.
    static func bytes(of text: String) -> [UInt8]? {
        guard isValid(text) else { return nil }
        guard text.contains(":") else { return text.split(separator: ".").compactMap { UInt8($0) } }
        guard let gap = text.firstRange(of: "::") else { return words(text[...]) }
        let (before, after) = (words(text[..<gap.lowerBound]), words(text[gap.upperBound...]))
        return before + Array(repeating: 0, count: max(0, 16 - before.count - after.count)) + after
    }

    private static func words(_ text: Substring) -> [UInt8] {
        text.split(separator: ":").flatMap { part -> [UInt8] in
            if part.contains(".") { return part.split(separator: ".").compactMap { UInt8($0) } }
            let number = UInt16(part, radix: 16) ?? 0
            return [UInt8(number >> 8), UInt8(number & 0xFF)]
        }
    }

    private static func isVersion4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                part.utf8.allSatisfy { 0x30...0x39 ~= $0 } && (part.count == 1 || part.first != "0")
                    && part.count <= 3 && Int(part).map { $0 <= 255 } ?? false
            }
    }

    private static func isVersion6(_ text: String) -> Bool {
        guard text.utf8.count <= 45 else { return false }
        let halves = text.ranges(of: "::")
        guard halves.count <= 1 else { return false }
        guard let gap = halves.first else { return groups(text[...]) == 8 }
        guard let before = groups(text[..<gap.lowerBound], isEnd: false),
            let after = groups(text[gap.upperBound...])
        else { return false }
        return before + after <= 7
    }

    /// How many groups of 16 bits the text has, an IPv4 address at the end of all counting two; nil for what is none.
    private static func groups(_ text: Substring, isEnd: Bool = true) -> Int? {
        if text.isEmpty { return 0 }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var count = 0
        for (index, part) in parts.enumerated() {
            if isEnd, index == parts.count - 1, isVersion4(part) {
                count += 2
            } else if 1...4 ~= part.utf8.count, part.utf8.allSatisfy(isHex) {
                count += 1
            } else {
                return nil
            }
        }
        return count
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
