/// Name and value pairs of a query or of an `application/x-www-form-urlencoded` body, in order.
///
/// Source: WHATWG URL, section 5 «application/x-www-form-urlencoded».
package struct Form: Sendable, Equatable {
    package let pairs: [(name: String, value: String)]

    /// - Parameter text: such as `a=1&b=two+words`. Malformed percent-encoding is kept as it came, as the standard says.
    package init(_ text: String) {
        pairs = text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
    }

    /// The first value of `name`.
    package subscript(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

    package func values(of name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    package static func == (left: Form, right: Form) -> Bool {
        left.pairs.elementsEqual(right.pairs) { $0 == $1 }
    }

    private static func decoded(_ text: Substring) -> String {
        String(
            decoding: percentDecoded(text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }),
            as: UTF8.self)
    }
}

/// `bytes` with each `%XX` replaced by its byte; a `%` without two hex digits stays.
func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
        if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
            let high = hexDigit(bytes[index + 1]), let low = hexDigit(bytes[index + 2])
        {
            decoded.append(high << 4 | low)
            index += 3
        } else {
            decoded.append(bytes[index])
            index += 1
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

extension Request {
    /// The parsed query; empty when there is none.
    package var queryItems: Form { Form(query ?? "") }

    /// The body as an HTML form.
    package var form: Form { Form(String(decoding: body, as: UTF8.self)) }

    /// The first cookie called `name`. Source: RFC 6265 §4.2.
    package func cookie(_ name: String) -> String? {
        for header in headers.values(of: "Cookie") {
            for pair in header.split(separator: ";") {
                let parts = pair.drop { $0 == " " }.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2, parts[0] == name { return String(parts[1]) }
            }
        }
        return nil
    }
}
