import Essentials

/// The parts of an address that tell what it is for.
struct WebAddress {
    let isWeb: Bool
    /// Path and query, without the first slash; of an app's address all behind the scheme.
    let path: String
    /// One of its parts is a long random value.
    let hasToken: Bool

    init(_ address: String) {
        let bytes = Array(address.utf8)
        let scheme = bytes.prefix { $0 != UInt8(ascii: ":") }
        isWeb = ["http", "https"].contains(String(decoding: scheme, as: UTF8.self).asciiLowercased)
        var rest = bytes.dropFirst(scheme.count + 1).drop { $0 == UInt8(ascii: "/") }
        if isWeb {
            rest = rest.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
                .dropFirst()
        }
        path = String(decoding: rest.prefix(300), as: UTF8.self)
        hasToken = rest.prefix(2000).split {
            !$0.isAlphanumeric && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_")
        }
        .contains { $0.count >= 16 && $0.contains(where: \.isDigit) }
    }
}

/// The addresses in a plain text, such as `(https://example.com/a).`, `<https://example.com/b>` or `com.example.app:/c`.
struct WebAddresses {
    struct Found {
        let address: String
        /// The words before it: on its line, or on the one before when it begins its own.
        let before: String
        let behind: String
    }

    private(set) var found: [Found] = []
    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
        var index = 0
        while found.count < 200, let colon = bytes[index...].firstIndex(of: UInt8(ascii: ":")) {
            index = colon + 1
            guard index < bytes.count, bytes[index] == UInt8(ascii: "/") else { continue }
            let start = startOfScheme(colon)
            // With one slash it is the reversed name of a host. Source: RFC 8252 §7.1.
            let isFull = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/")
            guard start < colon, isFull || bytes[start..<colon].contains(UInt8(ascii: ".")) else { continue }
            let (address, end) = address(start, colon)
            if address.count > colon - start + 2 {
                found.append(
                    Found(
                        address: String(decoding: address, as: UTF8.self), before: before(start),
                        behind: behind(end)))
            }
            index = max(index, end)
        }
    }

    private func startOfScheme(_ colon: Int) -> Int {
        var start = colon
        while start > 0, colon - start < 100,
            bytes[start - 1].isAlphanumeric || "+.-".utf8.contains(bytes[start - 1])
        { start -= 1 }
        while start < colon, bytes[start].isDigit || "+.-".utf8.contains(bytes[start]) { start += 1 }
        return start
    }

    /// In angle brackets up to the closing one, without line ends (RFC 3986 appendix C); else up to a blank, without the marks of the sentence.
    private func address(_ start: Int, _ colon: Int) -> ([UInt8], Int) {
        if start > 0, bytes[start - 1] == UInt8(ascii: "<"),
            let close = bytes[colon...].prefix(4200).firstIndex(of: UInt8(ascii: ">"))
        {
            let inside = bytes[start..<close]
            if !inside.contains(0x20)
                || inside.contains(.lineFeed) && !inside.contains(UInt8(ascii: "<")) && isBroken(inside)
            {
                return (inside.filter { $0 > 0x20 }, close + 1)
            }
        }
        let rest = bytes[colon...].prefix { $0 > 0x20 && !"<>\"`".utf8.contains($0) }.prefix(4200)
        let plain = rest.prefix(upToSentence(rest) - rest.startIndex)
        var end = plain.endIndex
        while end > colon + 1, isMark(bytes[end - 1], colon, end) { end -= 1 }
        return (Array(bytes[start..<end]), rest.endIndex)
    }

    /// Only line ends and the blanks beside them are in it.
    private func isBroken(_ inside: ArraySlice<UInt8>) -> Bool {
        inside.indices.allSatisfy { index in
            inside[index] != 0x20 || inside[max(inside.startIndex, index - 1)] <= 0x20
                || inside[min(inside.endIndex - 1, index + 1)] <= 0x20
        }
    }

    /// Full-width marks and brackets of Chinese and Japanese end an address; “…” and quotation marks do.
    private func upToSentence(_ rest: ArraySlice<UInt8>) -> Int {
        var index = rest.startIndex
        while index < rest.endIndex {
            if rest[index] >= 0xE2 {
                let (scalar, _) = TextScan.scalar(bytes, index)
                if 0x2010...0x203A ~= scalar || 0x3000...0x303F ~= scalar || 0xFF00...0xFF0F ~= scalar
                    || 0xFF1A...0xFF20 ~= scalar
                {
                    return index
                }
            }
            index += 1
        }
        return rest.endIndex
    }

    private func isMark(_ byte: UInt8, _ colon: Int, _ end: Int) -> Bool {
        if ".,;:!?'*_|".utf8.contains(byte) { return true }
        // A bracket that was opened in the address belongs to it.
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] as [(Unicode.Scalar, Unicode.Scalar)]
        where byte == UInt8(ascii: close) {
            let inside = bytes[colon..<end]
            return inside.count { $0 == UInt8(ascii: close) } > inside.count { $0 == UInt8(ascii: open) }
        }
        return false
    }

    private func before(_ start: Int) -> String {
        let window = bytes[max(0, start - 200)..<start]
        let lines = window.split(separator: .lineFeed, omittingEmptySubsequences: false)
        let own = words(lines.last ?? [])
        if !own.isEmpty { return own }
        return lines.dropLast().reversed().lazy.map { words($0) }.first { !$0.isEmpty } ?? ""
    }

    private func behind(_ end: Int) -> String {
        words(bytes[min(end, bytes.count)...].prefix(100).prefix { $0 != .lineFeed })
    }

    private func words(_ line: ArraySlice<UInt8>) -> String {
        let words = line.split { $0 <= 0x20 || "<>()[]:".utf8.contains($0) }
        return String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self)
    }
}
