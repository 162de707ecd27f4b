import Essentials
import HTTP

/// Which exchanges of a recording are about the same thing, because they share a value that chance made.
struct Threads {
    private var leaders: [Int: Int] = [:]

    init(_ carried: [CarriedValues]) {
        var parents: [Int: Int] = [:]
        func leader(_ number: Int) -> Int {
            var number = number
            while let parent = parents[number], parent != number { number = parent }
            return number
        }
        var owners: [String: Int] = [:]
        for carried in carried {
            let number = carried.exchange.number
            parents[number] = number
            // Not who the client is, which is the same in all of them.
            for value in carried.asked.union(carried.answered) {
                if let other = owners[value] { parents[leader(other)] = leader(number) }
                owners[value] = number
            }
        }
        for number in carried.map(\.exchange.number) { leaders[number] = leader(number) }
    }

    func thread(of exchange: Exchange) -> Int { leaders[exchange.number] ?? exchange.number }
}

/// An exchange with the values that chance made in it, which several look at.
struct CarriedValues {
    let exchange: Exchange
    let asked: Set<String>
    let answered: Set<String>

    init(_ exchange: Exchange) {
        (self.exchange, asked, answered) = (exchange, exchange.asked, exchange.answered)
    }
}

extension Exchange {
    /// Values that chance made, in the request.
    var asked: Set<String> { asked(with: request.headers.carried) }

    /// The same, but for cookies.
    var askedBesideCookies: Set<String> {
        var headers = request.headers.carried
        headers["Cookie"] = nil
        return asked(with: headers)
    }

    private func asked(with headers: Headers) -> Set<String> {
        let carried = GivenValues(headers: headers, body: request.body)
        let address = GivenValues(headers: ["Location": request.url], body: [])
        return Self.made(carried.values + address.values)
    }

    /// The same in the answer.
    var answered: Set<String> {
        Self.made(GivenValues(headers: response.headers.given, body: response.body).values)
    }

    private static func made(_ values: [(place: String, value: String)]) -> Set<String> {
        Set(
            values.flatMap { $0.value.split(whereSeparator: { " =;,\"&?".contains($0) }).map(String.init) }
                .filter { $0.utf8.count >= 12 && Shape($0).isOpaque })
    }
}

extension Headers {
    /// Fields that say who the client is and how its requests belong together for those who run it.
    private static let clientFields: Set = [
        "user-agent", "x-request-id", "x-device-id", "x-client-id", "x-app-id", "x-installation-id",
        "x-correlation-id", "traceparent", "tracestate", "baggage", "sentry-trace", "b3", "x-b3-traceid",
        "x-b3-spanid", "x-amzn-trace-id", "x-cloud-trace-context", "if-none-match", "accept-language",
    ]
    /// Fields that say who answered, and how long that holds.
    private static let serverFields: Set = [
        "server", "via", "x-powered-by", "etag", "cf-ray", "x-amz-cf-id", "x-amz-cf-pop", "x-amzn-requestid",
        "x-amzn-trace-id", "x-cache", "x-served-by", "x-timer", "x-runtime", "x-version", "x-request-id",
        "x-correlation-id", "traceparent", "strict-transport-security", "content-security-policy",
        "permissions-policy", "alt-svc", "report-to", "nel",
    ]

    /// Without what is the same in answers to anybody, or another in each.
    fileprivate var given: Headers {
        var given = Headers()
        for field in fields where !Self.serverFields.contains(field.name.asciiLowercased) {
            given.add(field.name, field.value)
        }
        return given
    }

    /// Without what says who the client is.
    fileprivate var carried: Headers {
        var carried = Headers()
        for field in fields where !Self.clientFields.contains(field.name.asciiLowercased) {
            if field.name.equalsIgnoringCase("Authorization"), field.value.asciiLowercased.hasPrefix("basic ")
            {
                continue
            }
            carried.add(field.name, field.value)
        }
        if let type = self["Content-Type"] { carried["Content-Type"] = type }
        return carried
    }
}
