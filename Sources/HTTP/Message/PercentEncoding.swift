// Percent-encoding. Source: RFC 3986 §2.1.

extension Substring {
    /// The text with each `%XX` replaced by its byte, then read as UTF-8, invalid bytes replaced by U+FFFD.
    var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        return String(decoding: HTTP.percentDecoded(utf8), as: UTF8.self)
    }
}

/// `bytes` with each `%XX` replaced by its byte; a `%` without two hex digits stays.
func percentDecoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(hexDigit),
            let low = rest.dropFirst().first.flatMap(hexDigit)
        {
            decoded.append(high << 4 | low)
            rest = rest.dropFirst(2)
        } else {
            decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        }
    }
    return decoded
}

func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
