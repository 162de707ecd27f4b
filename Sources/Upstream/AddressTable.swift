import Essentials

/// Which address of ours stands for which of a real service, so that client and browser stay on ours: pairs of base URLs.
///
/// Texts keep one address of theirs: what they call an issuer. Tokens that the service signed say it in `iss`, which nobody but the service
/// can change, and clients hold the two against each other. Sources: OpenID Connect Core 1.0 §3.1.3.7 no. 2, RFC 8414 §2, RFC 9207 §2.4.
package struct AddressTable: Sendable, Equatable {
    package struct Pair: Sendable, Equatable {
        /// Where clients reach the mount: `http://localhost:8420/hanko`.
        package let ours: String
        /// Where the service is: `https://tenant.example`.
        package let theirs: String

        package init(ours: String, theirs: String) { (self.ours, self.theirs) = (ours, theirs) }
    }

    package let pairs: [Pair]
    private let toOurs: [Exchange]
    private let toTheirs: [Exchange]

    /// One text and what stands in its place.
    fileprivate struct Exchange: Sendable, Equatable {
        let from: [UInt8]
        let to: [UInt8]
        let spelling: Spelling
    }

    package init(_ pairs: [Pair]) {
        self.pairs = pairs
        toOurs = Self.exchanges(
            pairs.flatMap { pair in
                Self.spellings(of: pair.theirs).map { ($0, pair.ours) }
                    + [(pair.theirs.asSocket, pair.ours.asSocket)]
            })
        toTheirs = Self.exchanges(pairs.map { ($0.ours, $0.theirs) })
    }

    /// The longest first, so that of two services at one host each path finds its own.
    private static func exchanges(_ pairs: [(from: String, to: String)]) -> [Exchange] {
        pairs.flatMap { pair in
            Spelling.allCases.map { Exchange(from: $0.write(pair.from), to: $0.write(pair.to), spelling: $0) }
        }.sorted { $0.from.count > $1.from.count }
    }

    /// A service behind another proxy may write `http` or the standard port.
    private static func spellings(of url: String) -> [String] {
        let isSecure = url.hasPrefix("https://")
        let rest = url.dropFirst(isSecure ? 8 : 7)
        let authority = rest.prefix { $0 != "/" }
        let hasPort = authority.drop { $0 != "]" && authority.hasPrefix("[") }.contains(":")
        if hasPort { return [url] }
        let path = rest.dropFirst(authority.count)
        return [
            url, (isSecure ? "http://" : "https://") + rest,
            "\(isSecure ? "https" : "http")://\(authority):\(isSecure ? 443 : 80)\(path)",
        ]
    }

    /// A text of theirs with our addresses.
    package func ours(_ text: [UInt8]) -> [UInt8] { Self.exchanged(text, toOurs, keepsIssuers: true) }

    package func ours(_ text: String) -> String { String(decoding: ours(Array(text.utf8)), as: UTF8.self) }

    /// A text of ours with their addresses.
    package func theirs(_ text: [UInt8]) -> [UInt8] { Self.exchanged(text, toTheirs, keepsIssuers: false) }

    package func theirs(_ text: String) -> String {
        String(decoding: theirs(Array(text.utf8)), as: UTF8.self)
    }

    private static func exchanged(_ text: [UInt8], _ exchanges: [Exchange], keepsIssuers: Bool) -> [UInt8] {
        var made: [UInt8] = []
        var (copied, place) = (0, 0)
        while place < text.count {
            guard text[place] == UInt8(ascii: "h") || text[place] == UInt8(ascii: "w"),
                let found = exchanges.first(where: { $0.fits(text, at: place) })
            else {
                place += 1
                continue
            }
            let end = place + found.from.count
            if !keepsIssuers || !isIssuer(text[..<place]) {
                made += text[copied..<place]
                made += found.to
                copied = end
            }
            place = end
        }
        if copied == 0 { return text }
        return made + text[copied...]
    }

    /// `\u0026` is how Go writes `&` in JSON.
    private static let issuerParameters = [
        "?iss=", "&iss=", ";iss=", "#iss=", #"\u0026iss="#, "%3Fiss%3D", "%26iss%3D", "%23iss%3D",
    ]

    /// Whether what stands before an address makes it an issuer: `"issuer": "`, `"iss":"`, `&iss=`.
    private static func isIssuer(_ before: ArraySlice<UInt8>) -> Bool {
        let near = before.suffix(40)
        if issuerParameters.contains(where: { near.hasSuffix($0) }) { return true }
        guard near.last == UInt8(ascii: "\"") else { return false }
        let name = near.dropLast().trimmingBlanks
        guard name.last == UInt8(ascii: ":") else { return false }
        let member = name.dropLast().trimmingBlanks
        return member.hasSuffix("\"issuer\"") || member.hasSuffix("\"iss\"")
    }
}

extension AddressTable.Exchange {
    fileprivate func fits(_ text: [UInt8], at place: Int) -> Bool {
        let end = place + from.count
        return end <= text.count && text[place..<end].elementsEqual(from) && spelling.isEnd(text[end...])
    }
}

extension String {
    /// The same address of web sockets: `wss://…` of `https://…`. Source: RFC 6455 §3.
    var asSocket: String { "ws" + dropFirst("http".utf8.count) }
}

extension ArraySlice<UInt8> {
    func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }

    /// Without blanks and line ends at its end.
    fileprivate var trimmingBlanks: ArraySlice<UInt8> {
        var rest = self
        while let last = rest.last, [0x20, 0x09, 0x0A, 0x0D].contains(last) { rest.removeLast() }
        return rest
    }
}
