import Essentials

/// What keeps a redirect URL at the host that its pattern means: a pattern of the whole text, such as `http://127.0.0.1**`, also fits
/// `http://127.0.0.1.evil.test`.
///
/// Source: Hanko after 3.x, which took it in on 2026-07-29.
struct RedirectBoundary {
    private let scheme: String
    private let host: String
    private let port: String

    /// Nil with a reason for a URL that is no place on the web.
    static func read(_ url: String) -> Result<RedirectBoundary, Fault> {
        guard let scheme = url.firstRange(of: "://").map({ String(url[..<$0.lowerBound]).asciiLowercased }),
            !scheme.isEmpty, !scheme.contains("/")
        else { return .failure(.notAbsolute) }
        guard ["http", "https"].contains(scheme) else { return .failure(.otherScheme(scheme)) }
        let (host, port) = parts(ofAuthority: authority(of: url))
        guard !host.isEmpty else { return .failure(.notAbsolute) }
        return .success(RedirectBoundary(scheme: scheme, host: normal(host), port: port))
    }

    enum Fault: Error, Equatable {
        case notAbsolute
        case otherScheme(String)
        case otherHost

        var words: String {
            switch self {
            case .notAbsolute: "it is no absolute URL with a host"
            case .otherScheme(let scheme):
                "its scheme is “\(scheme.prefix(40))”, and only http and https are taken"
            case .otherHost: "its scheme, host or port is not the one that the pattern means"
            }
        }
    }

    /// Whether a pattern that fits the whole URL means its host, too.
    func isMeant(by pattern: String) -> Bool {
        guard let end = pattern.firstRange(of: "://"), end.lowerBound > pattern.startIndex,
            String(pattern[..<end.lowerBound]).asciiLowercased == scheme
        else { return false }
        let (host, port) = Self.parts(ofAuthority: Self.authority(of: pattern))
        let fixed = Self.fixedPart(of: port)
        return Self.means(Self.normal(host), self.host) && (fixed.isEmpty || fixed == self.port)
    }

    /// Without a wildcard the host itself; two stars at the end count for nothing; two stars with more wildcards behind them mean what
    /// stands before the first one; any other pattern has its fixed parts around it, so that it can be trusted.
    private static func means(_ pattern: String, _ host: String) -> Bool {
        guard !pattern.isEmpty, !host.isEmpty else { return false }
        guard pattern.contains(where: isWildcard) else { return pattern == host }
        if pattern.hasSuffix("**") { return means(String(pattern.dropLast(2)), host) }
        if let last = pattern.ranges(of: "**").last, pattern[last.upperBound...].contains(where: isWildcard) {
            return normal(fixedPart(of: pattern)) == host
        }
        // What does not close was refused with the fixtures.
        return (try? URLPattern(pattern))?.matches(host) ?? false
    }

    private static func authority(of url: String) -> Substring {
        guard let end = url.firstRange(of: "://") else { return "" }
        return url[end.upperBound...].prefix { !"/?#".contains($0) }
    }

    private static func parts(ofAuthority text: Substring) -> (host: String, port: String) {
        if text.hasPrefix("[") {
            let host = text.dropFirst().prefix { $0 != "]" }
            let rest = text.dropFirst(host.count + 2)
            return (String(host), rest.hasPrefix(":") ? String(rest.dropFirst()) : "")
        }
        guard let colon = text.lastIndex(of: ":") else { return (String(text), "") }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    private static func fixedPart(of text: String) -> String { String(text.prefix { !isWildcard($0) }) }
    private static func isWildcard(_ character: Character) -> Bool { "*?[".contains(character) }

    private static func normal(_ host: String) -> String {
        let lower = host.asciiLowercased
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }
}

extension ThirdPartyRules {
    /// Why Hanko after 3.x refuses a URL that ``allows(redirect:)``; nil when it does not.
    func boundaryFault(ofRedirect url: String) -> RedirectBoundary.Fault? {
        let url = url.hasSuffix("/") ? String(url.dropLast()) : url
        switch RedirectBoundary.read(url) {
        case .failure(let fault): return fault
        case .success(let boundary):
            return patterns(fitting: url).contains(where: boundary.isMeant) ? nil : .otherHost
        }
    }
}
