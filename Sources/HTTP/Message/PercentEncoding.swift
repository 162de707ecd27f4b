import Essentials

// Percent-encoding. Source: RFC 3986 §2.1.

extension String {
    /// The text with every byte but the unreserved ones as `%XX`: right in a path segment, a query, a fragment and a form.
    package var percentEncoded: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        for byte in utf8 {
            if byte.isUnreserved {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

private let hexDigits = Array("0123456789ABCDEF".utf8)

extension UInt8 {
    /// A letter, a digit or one of `-._~`. Source: RFC 3986 §2.3.
    package var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

extension Substring {
    /// The text with each `%XX` replaced by its byte, then read as UTF-8, invalid bytes replaced by U+FFFD.
    package var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        return String(decoding: HTTP.percentDecoded(utf8), as: UTF8.self)
    }
}

/// `bytes` with each `%XX` replaced by its byte; a `%` without two hex digits stays.
func percentDecoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
        let byte = bytes[index]
        bytes.formIndex(after: &index)
        if byte == UInt8(ascii: "%"), let (value, next) = hexPair(bytes[index...]) {
            decoded.append(value)
            index = next
        } else {
            decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        }
    }
    return decoded
}

/// The byte that the first two digits of `rest` mean, and what is behind them.
private func hexPair<Bytes: Collection<UInt8>>(_ rest: Bytes) -> (byte: UInt8, end: Bytes.Index)? {
    guard let high = rest.first?.hexDigit else { return nil }
    let second = rest.index(after: rest.startIndex)
    guard second < rest.endIndex, let low = rest[second].hexDigit else { return nil }
    return (high << 4 | low, rest.index(after: second))
}
