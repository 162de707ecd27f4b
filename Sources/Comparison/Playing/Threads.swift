import Essentials
import HTTP

/// Which exchanges of a recording are about the same thing, because they share a value that chance made.
struct Threads {
    private var leaders: [Int: Int] = [:]

    init(_ exchanges: [Exchange]) {
        var parents: [Int: Int] = [:]
        func leader(_ number: Int) -> Int {
            var number = number
            while let parent = parents[number], parent != number { number = parent }
            return number
        }
        var owners: [String: Int] = [:]
        for exchange in exchanges {
            parents[exchange.number] = exchange.number
            for value in Self.values(of: exchange) {
                if let other = owners[value] {
                    parents[leader(other)] = leader(exchange.number)
                }
                owners[value] = exchange.number
            }
        }
        for exchange in exchanges { leaders[exchange.number] = leader(exchange.number) }
    }

    func thread(of exchange: Exchange) -> Int { leaders[exchange.number] ?? exchange.number }

    /// What requests and answers carry; not who the client is, which is the same in all of them.
    private static func values(of exchange: Exchange) -> Set<String> {
        exchange.asked.union(exchange.answered)
    }
}

extension Exchange {
    /// Values that chance made, in the request.
    var asked: Set<String> {
        let carried = GivenValues(headers: request.headers.carried, body: request.body)
        let address = GivenValues(headers: ["Location": request.url], body: [])
        return Self.made(carried.values + address.values)
    }

    /// The same in the answer.
    var answered: Set<String> {
        Self.made(GivenValues(headers: response.headers, body: response.body).values)
    }

    private static func made(_ values: [(place: String, value: String)]) -> Set<String> {
        Set(
            values.flatMap { $0.value.split(whereSeparator: { " =;,\"&?".contains($0) }).map(String.init) }
                .filter { $0.utf8.count >= 12 && Shape($0).isOpaque })
    }
}

extension Headers {
    /// Without what says who the client is.
    fileprivate var carried: Headers {
        var carried = Headers()
        for field in fields where !["user-agent", "x-request-id"].contains(field.name.asciiLowercased) {
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
