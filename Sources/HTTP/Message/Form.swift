/// Name and value pairs of a query or of an `application/x-www-form-urlencoded` body, in order.
///
/// Source: WHATWG URL, section 5 “application/x-www-form-urlencoded”.
package struct Form: Sendable, Equatable {
    package let pairs: [(name: String, value: String)]

    /// - Parameter text: such as `a=1&b=two+words`. Malformed percent-encoding is kept as it came, as the standard says.
    package init(_ text: String) { pairs = Self.pairs(in: text.utf8) }

    package init(bytes: [UInt8]) { pairs = Self.pairs(in: bytes) }

    /// The first value of `name`.
    package subscript(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

    package func values(of name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// The pairs as such a text, with `%20` for a space.
    package static func encode(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }

    package static func == (left: Form, right: Form) -> Bool {
        left.pairs.elementsEqual(right.pairs) { $0 == $1 }
    }

    private static func pairs(in bytes: some Collection<UInt8>) -> [(name: String, value: String)] {
        bytes.split(separator: UInt8(ascii: "&")).map { pair in
            let sign = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            return (decoded(pair[..<sign]), decoded(pair[sign...].dropFirst()))
        }
    }

    /// One name or value on its own, without its percent-encoding.
    package static func decode(_ text: some StringProtocol) -> String { decoded(text.utf8) }

    private static func decoded(_ bytes: some Collection<UInt8>) -> String {
        let isPlain = !bytes.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
        if isPlain { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: percentDecoded(bytes, plusIsSpace: true), as: UTF8.self)
    }
}

extension Request {
    /// The parsed query; empty when there is none.
    package var queryItems: Form { Form(query ?? "") }

    /// The body as an HTML form.
    package var form: Form { Form(bytes: body) }

    /// The first cookie called `name`. Source: RFC 6265 §4.2.
    package func cookie(_ name: String) -> String? {
        for header in headers.values(of: "Cookie") {
            for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop(while: \.isBlank)
                guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
                if pair[..<sign].elementsEqual(name.utf8) {
                    return String(Substring(pair[sign...].dropFirst())).trimmingBlanks
                }
            }
        }
        return nil
    }
}
