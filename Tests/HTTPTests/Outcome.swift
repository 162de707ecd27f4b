import HTTP

/// What a parser said, in a form that compares.
enum Outcome: Equatable, CustomStringConvertible {
    case request(
        method: String, path: String, query: String?, headers: Headers, body: [UInt8], keepsAlive: Bool,
        isHTTP10: Bool)
    case expectsContinue
    case refused(Int, reason: String)

    init?(_ event: RequestParser.Event) {
        switch event {
        case .needsMore: return nil
        case .expectsContinue: self = .expectsContinue
        case .refused(let refused): self = .refused(refused.status.code, reason: refused.reason)
        case .request(let parsed):
            let request = parsed.request
            self = .request(
                method: request.method.rawValue, path: request.path, query: request.query,
                headers: request.headers,
                body: request.body, keepsAlive: parsed.keepsAlive, isHTTP10: parsed.isHTTP10)
        }
    }

    var description: String {
        switch self {
        case .request(let method, let path, let query, _, let body, let keepsAlive, _):
            "\(method) \(path) ?\(query ?? "-") body \(body.count) keeps \(keepsAlive)"
        case .expectsContinue: "100"
        case .refused(let status, let reason): "\(status) \(reason)"
        }
    }
}

extension RequestParser {
    static func standard(_ limits: Limits = Limits(), bodyLimit: Int? = nil) -> RequestParser {
        RequestParser(limits: limits, peer: .local) { _, _ in bodyLimit }
    }

    /// Appends `bytes` and returns all that the parser says about them.
    mutating func feed(_ bytes: some Collection<UInt8>) -> [Outcome] {
        Array(bytes).withUnsafeBytes { append($0) }
        var outcomes: [Outcome] = []
        while let outcome = Outcome(next()) {
            outcomes.append(outcome)
            if case .refused = outcome { break }
        }
        return outcomes
    }

    mutating func feed(_ text: String) -> [Outcome] { feed(text.utf8) }
}

/// The sequence of SplitMix64, so that a failing case can be had again from its seed.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
