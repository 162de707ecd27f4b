import HTTP

/// The request parser, and what is fed with its results: router, form and cookies, the writer, and the parser of answers.
struct HTTPSubject: Subject {
    static let name = "http"

    let router = Self.makeRouter()
    private let small: Limits = {
        var limits = Limits()
        limits.headBytes = 400
        limits.bodyBytes = 64
        return limits
    }()

    func check(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation) {
        let limits = random.below(4) == 0 ? small : Limits()
        let outcomes = try checkRequests(input, limits, &random)
        for case .request(let parsed) in outcomes { try checkAccepted(parsed, limits) }
        try checkResponseParser(input, &random)
        checkForms(input)
    }

    /// Feeds the bytes at once, one by one and in pieces, and compares.
    private func checkRequests(
        _ input: [UInt8], _ limits: Limits, _ random: inout SplitMix64
    ) throws(Violation) -> [RequestParser.Event] {
        let whole = try events(of: input, limits) { _ in input.count }
        let single = try events(of: input, limits) { _ in 1 }
        var sizes = random
        let pieces = try events(of: input, limits) { left in 1 + sizes.below(min(left, 200)) }
        let expected = whole.map(\.summary)
        guard single.map(\.summary) == expected else {
            throw Violation("byte by byte differs from all at once")
        }
        guard pieces.map(\.summary) == expected else { throw Violation("in pieces differs from all at once") }
        return whole
    }

    /// What a parser says, without the question for the body, which depends on the splits.
    private func events(
        of input: [UInt8], _ limits: Limits, size: (Int) -> Int
    ) throws(Violation) -> [RequestParser.Event] {
        var parser = RequestParser(limits: limits, peer: .local) { method, path in
            router.bodyLimit(method, path)
        }
        var events: [RequestParser.Event] = []
        var rest = input[...]
        while !rest.isEmpty {
            let piece = rest.prefix(size(rest.count))
            rest = rest.dropFirst(piece.count)
            piece.withUnsafeBytes { parser.append($0) }
            if try drain(&parser, into: &events, most: input.count) { break }
            let held = limits.headBytes + limits.bodyBytes + 2048
            guard parser.bufferedBytes <= held else { throw Violation("more than \(held) bytes are held") }
        }
        return events
    }

    /// - Returns: whether the parser refused.
    private func drain(
        _ parser: inout RequestParser, into events: inout [RequestParser.Event], most: Int
    ) throws(Violation) -> Bool {
        while true {
            let event = parser.next()
            switch event {
            case .needsMore: return false
            case .expectsContinue: break
            case .request: events.append(event)
            case .refused:
                events.append(event)
                try checkStaysRefused(&parser, event)
                return true
            }
            guard events.count <= most else { throw Violation("more requests than bytes") }
        }
    }

    private func checkStaysRefused(_ parser: inout RequestParser, _ event: RequestParser.Event)
        throws(Violation)
    {
        Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8).withUnsafeBytes { parser.append($0) }
        guard parser.next().summary == event.summary, parser.bufferedBytes == 0 else {
            throw Violation("the parser goes on after a refusal")
        }
    }

    private func checkForms(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        _ = Form(bytes: input)
        _ = Form(text)
        _ = Request(.get, "/", headers: ["Cookie": text]).cookie("a")
        _ = try? router.respond(to: Request(.get, text), in: 0)  // Any path must be bearable, found or not.
        _ = router.bodyLimit(.put, text)
    }

    private static func makeRouter() -> Router<Int> {
        var router = Router<Int>()
        for pattern in ["/", "/users", "/users/:id", "/users/me", "/:x/:y/:z", "/files/*path"] {
            router.add(.get, pattern) { _, request in .text(request.parameters.map(\.value).joined()) }
        }
        router.add(.put, "/users/:id", bodyLimit: 9) { _, _ in .noContent }
        router.fallback("/users") { _, _, unknown in Response(status: unknown.status) }
        return router
    }
}

extension RequestParser.Event {
    /// All that can differ, as text.
    fileprivate var summary: String {
        switch self {
        case .needsMore: "more"
        case .expectsContinue: "continue"
        case .refused(let refused): "\(refused.status.code) \(refused.reason)"
        case .request(let parsed):
            "\(parsed.request.method.rawValue) \(parsed.request.path) \(parsed.request.query ?? "-")"
                + " \(parsed.request.headers.fields) \(parsed.request.body) \(parsed.keepsAlive) \(parsed.isHTTP10)"
        }
    }
}
