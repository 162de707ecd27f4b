/// What can be the name of a host, and what a numeric address.
package enum HostName {
    /// Letters, digits and hyphens, in labels of 1 to 63 that neither begin nor end with a hyphen, at most 253 in all. The underscore
    /// is taken as well: Docker Compose calls containers by the names of their services, which may have one.
    ///
    /// Sources: RFC 952 as changed by RFC 1123 §2.1; lengths RFC 1035 §2.3.4.
    package static func isName(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.allSatisfy(isLabel)
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        (1...63).contains(label.count) && label.allSatisfy(isInside)
            && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
    }

    private static func isInside(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Four numbers of one to three digits. Source: RFC 3986 §3.2.2, with zeros in front allowed.
    package static func isIPv4(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy { 0x30...0x39 ~= $0 }
                    && part.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 255
            }
    }

    /// `[::1]`: groups of one to four hexadecimal digits, eight or, with one gap, fewer; the last two may be written as IPv4.
    ///
    /// Source: RFC 3986 §3.2.2, RFC 4291 §2.2. A zone (RFC 6874) is an affair of the client, which does not send it.
    package static func isIPv6Literal(_ text: String) -> Bool {
        guard text.hasPrefix("["), text.hasSuffix("]") else { return false }
        let halves = String(text.dropFirst().dropLast()).split(
            separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        guard let first = halves.first, halves.count <= 2 else { return false }
        let hasGap = halves.count == 2
        let head = groups(first, mayEndInIPv4: !hasGap)
        let tail = hasGap ? groups(halves[1], mayEndInIPv4: true) : 0
        guard let head, let tail else { return false }
        return hasGap ? head + tail <= 7 : head == 8
    }

    /// How many groups of 16 bits are written; nil for what is none.
    private static func groups(_ text: Substring, mayEndInIPv4: Bool) -> Int? {
        if text.isEmpty { return 0 }
        var parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var count = 0
        if mayEndInIPv4, let last = parts.last, isIPv4(String(last)) {
            parts.removeLast()
            count = 2
        }
        let areGroups = parts.allSatisfy { part in
            (1...4).contains(part.utf8.count)
                && part.utf8.allSatisfy {
                    0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 || 0x61...0x66 ~= $0
                }
        }
        return areGroups ? count + parts.count : nil
    }
}
