/// The head of a request while its lines come, and the rules that hold once it is whole.
struct RequestHead {
    /// How the body will come. Source: RFC 9112 §6.3.
    enum Framing: Equatable {
        case length(Int)
        case chunked
    }

    var line: RequestLine
    private(set) var headers = Headers()
    private let mostFields: Int
    private var hosts = 0
    private var lengths: [String] = []
    private var codings: [String] = []
    private var options: [String] = []
    private var expectations: [String] = []

    /// - Parameters:
    ///   - mostFields: beyond this number of header fields, the request is refused with 431.
    ///   - likely: how many there are, as far as one can guess: the list has room for these, and is often kept for long.
    init(line: RequestLine, mostFields: Int, likely: Int) {
        self.line = line
        self.mostFields = mostFields
        headers.reserveCapacity(likely)
    }

    mutating func add(_ field: FieldLine) throws(WireFault) {
        guard headers.fields.count < mostFields else {
            throw WireFault(.headersTooLarge, "the request has more than \(mostFields) header fields")
        }
        switch field.role {
        case .host: try addHost(field.value)
        case .contentLength: lengths.append(field.value)
        case .transferEncoding: codings.append(contentsOf: field.value.listItems)
        case .connection: options.append(contentsOf: field.value.listItems)
        case .expect: expectations.append(field.value)
        case .other: break
        }
        headers.add(field.name, field.value)
    }

    private mutating func addHost(_ value: String) throws(WireFault) {
        hosts += 1
        if hosts > 1 { throw .malformed("the request has two Host fields") }
        guard value.utf8.withContiguousStorageIfAvailable(Authority.isValid) == true else {
            throw .malformed("Host is \(excerpt(value.utf8)), not a host name with an optional port")
        }
    }

    /// Checks the whole head and says how the body comes.
    mutating func finish() throws(WireFault) -> Framing {
        if hosts == 0, !line.isHTTP10 { throw .malformed("the request has no Host field (RFC 9112 §3.2)") }
        if let authority = line.authority { headers["Host"] = authority }
        let framing = try framing()
        for expectation in expectations where !expectation.equalsIgnoringCase("100-continue") {
            throw WireFault(
                417, "the expectation \(excerpt(expectation.utf8)) is unknown; only 100-continue can be met")
        }
        return framing
    }

    /// A 1.0 client does not know the interim answer. Source: RFC 9110 §10.1.1.
    var expectsContinue: Bool { !expectations.isEmpty && !line.isHTTP10 }

    /// Source: RFC 9112 §9.3.
    var keepsAlive: Bool {
        if options.contains(where: { $0.equalsIgnoringCase("close") }) { return false }
        return !line.isHTTP10 || options.contains { $0.equalsIgnoringCase("keep-alive") }
    }

    private func framing() throws(WireFault) -> Framing {
        if headers["Transfer-Encoding"] != nil {
            try checkCodings()
            return .chunked
        }
        guard let length = lengths.first else { return .length(0) }
        guard lengths.count == 1 else { throw .malformed("the request has more than one Content-Length") }
        return .length(try BodyReader.length(length))
    }

    private func checkCodings() throws(WireFault) {
        if !lengths.isEmpty {
            throw .malformed("the request has both Content-Length and Transfer-Encoding (RFC 9112 §6.1)")
        }
        if line.isHTTP10 {
            throw .malformed(
                "an HTTP/1.0 request has Transfer-Encoding, which 1.0 does not know (RFC 9112 §6.1)")
        }
        let isChunked = codings.map { $0.equalsIgnoringCase("chunked") }
        if let unknown = zip(codings, isChunked).first(where: { !$0.1 }),
            isChunked.last == true || !isChunked.contains(true)
        {
            throw WireFault(
                .notImplemented, "the transfer coding \(excerpt(unknown.0.utf8)) is unknown; chunked is")
        }
        if isChunked != [true] {
            throw .malformed("Transfer-Encoding must be chunked, once and last (RFC 9112 §6.1)")
        }
    }
}

extension String {
    /// The members of a comma-separated list, without blanks around them; empty ones are left out. Source: RFC 9110 §5.6.1.
    package var listItems: [String] {
        guard utf8.contains(UInt8(ascii: ",")) else { return isEmpty ? [] : [trimmingBlanks] }
        return utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)).trimmingBlanks }
            .filter { !$0.isEmpty }
    }

    /// Without spaces and tabs at either end.
    var trimmingBlanks: String {
        guard utf8.first?.isBlank == true || utf8.last?.isBlank == true else { return self }
        let rest = utf8.drop(while: \.isBlank)
        guard let last = rest.lastIndex(where: { !$0.isBlank }) else { return "" }
        return String(Substring(rest[...last]))
    }
}
