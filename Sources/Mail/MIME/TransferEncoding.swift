import Essentials

/// How the bytes of a part travel. Source: RFC 2045 §6.
enum TransferEncoding: Sendable, Equatable {
    case identity, base64, quotedPrintable

    /// - Parameter name: the value of `Content-Transfer-Encoding`.
    init?(_ name: String) {
        let plain = MIMEComments.without(Array(name.utf8)[...]).prefix { $0 != UInt8(ascii: ";") }
        switch String(decoding: plain.trimmingBlanks, as: UTF8.self).asciiLowercased {
        case "7bit", "8bit", "binary", "": self = .identity
        case "base64": self = .base64
        // The second is seen with programs that were told so by hand.
        case "quoted-printable", "quoted printable", "quoted_printable": self = .quotedPrintable
        default: return nil
        }
    }

    /// - Parameter most: bytes; what comes behind them is left out, and not worked on.
    func decoded(_ bytes: ArraySlice<UInt8>, most: Int = .max) -> [UInt8] {
        switch self {
        case .identity: Array(bytes.prefix(most))
        case .base64: Self.base64(bytes, most)
        // The line end of the last line belongs to the boundary behind it: a soft line break is left there without one.
        case .quotedPrintable:
            Self.quotedPrintable(bytes.last == UInt8(ascii: "=") ? bytes.dropLast() : bytes, most)
        }
    }

    /// Other characters are passed over, and padding ends nothing, so that joined pieces are read. Source: RFC 2045 §6.8.
    static func base64(_ bytes: ArraySlice<UInt8>, _ most: Int = .max) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(min(most, bytes.count / 4 * 3))
        var (buffer, bits) = (UInt32(0), 0)
        for byte in bytes {
            if byte == UInt8(ascii: "=") { (buffer, bits) = (0, 0) }
            guard let digit = digit(byte) else { continue }
            buffer = buffer << 6 | UInt32(digit)
            bits += 6
            if bits >= 8 {
                bits -= 8
                if decoded.count == most { break }
                decoded.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x61 + 26
        case 0x30...0x39: byte - 0x30 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// What is no escape stays as it is; blanks at the end of a line were added on the way. Source: RFC 2045 §6.7.
    static func quotedPrintable(_ bytes: ArraySlice<UInt8>, _ most: Int = .max) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(min(most, bytes.count))
        var index = bytes.startIndex
        while index < bytes.endIndex, decoded.count < most {
            let byte = bytes[index]
            if byte == UInt8(ascii: "="), let escaped = escape(bytes[(index + 1)...]) {
                decoded.append(escaped)
                index += 3
            } else if byte == UInt8(ascii: "=") || byte.isBlank {
                let behind = bytes[(index + 1)...].drop(while: \.isBlank).startIndex
                if let next = endOfLine(bytes[behind...]) {
                    if byte.isBlank { decoded += [.carriageReturn, .lineFeed] }
                    index = next
                } else {
                    decoded += bytes[index..<behind]
                    index = behind
                }
            } else {
                decoded.append(byte)
                index += 1
            }
        }
        return decoded.count > most ? Array(decoded.prefix(most)) : decoded
    }

    private static func escape(_ rest: ArraySlice<UInt8>) -> UInt8? {
        guard let high = rest.first.flatMap(hex), let low = rest.dropFirst().first.flatMap(hex) else {
            return nil
        }
        return high << 4 | low
    }

    /// Where the next line begins, when this one ends here.
    private static func endOfLine(_ rest: ArraySlice<UInt8>) -> Int? {
        if rest.first == .lineFeed { return rest.startIndex + 1 }
        guard rest.first == .carriageReturn, rest.dropFirst().first == .lineFeed else { return nil }
        return rest.startIndex + 2
    }

    static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
