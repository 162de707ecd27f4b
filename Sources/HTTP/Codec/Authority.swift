import Essentials

/// Host and port as a `Host` field or an absolute target has them: `localhost:8420`, `[::1]:80`.
///
/// Source: RFC 3986 §3.2.2 and §3.2.3, without user information (RFC 9110 §4.2.4).
package enum Authority {
    package static func isValid(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
        if bytes.first == UInt8(ascii: "[") { return isLiteral(bytes) }
        let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        return isName(bytes[..<colon]) && isPort(bytes[colon...])
    }

    private static func isLiteral(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return false }
        let inside = bytes[..<end].dropFirst()
        let isAddress = inside.allSatisfy {
            $0.hexDigit != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
        }
        return isAddress && inside.contains(UInt8(ascii: ":")) && isPort(bytes[bytes.index(after: end)...])
    }

    private static func isName(_ bytes: some Collection<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return false }
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte.isNameByte { continue }
            guard byte == UInt8(ascii: "%"), let high = rest.popFirst(), let low = rest.popFirst(),
                high.hexDigit != nil, low.hexDigit != nil
            else { return false }
        }
        return true
    }

    /// Nothing, or a colon and at most five digits up to 65535.
    private static func isPort(_ bytes: some Collection<UInt8>) -> Bool {
        let digits = bytes.dropFirst()
        guard !bytes.isEmpty else { return true }
        guard bytes.first == UInt8(ascii: ":"), digits.count <= 5, digits.allSatisfy(\.isDigit) else {
            return false
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 65535
    }
}
