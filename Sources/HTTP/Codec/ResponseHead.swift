/// Status line and header fields of an answer, as a client gets them.
package struct ResponseHead: Sendable, Equatable {
    package let status: Status
    /// The server's own words behind the code; often the standard's, sometimes none.
    package let reason: String
    package private(set) var headers = Headers()
    let isHTTP10: Bool

    /// Whether the connection may stay open behind the answer. What HTTP/1.0 says of that is not believed. Source: RFC 9112 §9.3.
    var keepsAlive: Bool {
        let options = headers.values(of: "Connection").flatMap(\.listItems)
        return !isHTTP10 && !options.contains { $0.equalsIgnoringCase("close") }
    }

    private static let mostFields = 100

    /// Source: RFC 9112 §4. The space before an absent reason may be absent as well, as many servers write it.
    init(statusLine line: UnsafeBufferPointer<UInt8>) throws(WireFault) {
        let version = line.prefix(9)
        isHTTP10 = version.elementsEqual("HTTP/1.0 ".utf8)
        let rest = line.dropFirst(9)
        let code = rest.prefix(3)
        guard isHTTP10 || version.elementsEqual("HTTP/1.1 ".utf8), code.count == 3,
            code.allSatisfy(\.isDigit),
            let number = Int(String(decoding: code, as: UTF8.self)), (100...599).contains(number),
            rest.count == 3 || rest.dropFirst(3).first == 0x20
        else { throw .malformed("\(excerpt(line)) is not a status line: HTTP/1.1 200 OK") }
        status = Status(code: number)
        reason = FieldLine.text(UnsafeBufferPointer(rebasing: rest.dropFirst(4)))
    }

    mutating func add(_ field: FieldLine) throws(WireFault) {
        guard headers.fields.count < Self.mostFields else {
            throw .malformed("the answer has more than \(Self.mostFields) header fields")
        }
        headers.add(field.name, field.value)
    }

    /// Source: RFC 9112 §6.3, in its order.
    func framing(toHead: Bool) throws(WireFault) -> BodyReader.Framing {
        if toHead || !status.allowsLength { return .length(0) }
        let lengths = headers.values(of: "Content-Length")
        if headers["Transfer-Encoding"] != nil {
            let codings = headers.values(of: "Transfer-Encoding").flatMap(\.listItems)
            guard codings.count == 1, codings[0].equalsIgnoringCase("chunked"), !isHTTP10 else {
                throw .malformed("the answer's Transfer-Encoding is not chunked alone")
            }
            guard lengths.isEmpty else {
                throw .malformed("the answer has both Content-Length and Transfer-Encoding")
            }
            return .chunked
        }
        guard let length = lengths.first else { return .untilClose }
        guard lengths.count == 1 else { throw .malformed("the answer has more than one Content-Length") }
        return .length(try BodyReader.length(length))
    }
}
