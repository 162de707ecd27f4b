import Essentials

/// Which requests a rule is about; every condition that is set must hold.
package struct FaultMatch: Codable, Sendable, Equatable {
    /// By its name, or the first path segment of one of its mounts: `hanko`, `hanko-admin`.
    package var platform: String?
    package var method: String?
    /// The path below the platform's mount, as its routes spell it: `:name` is any segment, a `*` any characters in one, and a `*` at
    /// the end the rest. `/token`, `/users/:id`, `/oauth/*`.
    package var path: String?
    /// Somebody whom the request names; see ``RequestNames``.
    package var user: String?
    package var client: String?
    /// The first hit that is struck, and the last, counted from 1.
    package var from: Int?
    package var to: Int?
    /// More than 0, up to 1.
    package var probability: Double?

    package init() {}

    /// Whether platform, method and path are meant.
    ///
    /// - Parameter platform: its name, and the mount that the request came to.
    func fits(_ method: String, _ path: String, of platform: [String]) -> Bool {
        self.platform.map(platform.contains) ?? true && self.method ?? method == method
            && self.path.map { FaultPath.fits(path, $0) } ?? true
    }
}

extension FaultMatch {
    func check(platforms: [String], at place: [String]) throws {
        if let platform, !platforms.contains(platform) {
            throw FixtureProblem(
                at: place + ["platform"],
                "expected one of \(Set(platforms).sorted().joined(separator: ", ")), found “\(platform.prefix(60))”"
                    + Suggestion.question(platform, among: platforms))
        }
        if let method, method.wholeMatch(of: /[A-Z]{1,20}/) == nil {
            throw FixtureProblem(
                at: place + ["method"], "expected a method such as POST, found “\(method.prefix(60))”")
        }
        if let path, !path.hasPrefix("/") || path.utf8.count > 500 || path.contains("?") {
            throw FixtureProblem(
                at: place + ["path"],
                "expected a path below the platform's, such as /token or /users/:id, without a query, found “\(path.prefix(60))”"
            )
        }
        for (name, value) in [("user", user), ("client", client)]
        where value.map({ !(1...200 ~= $0.unicodeScalars.count) }) ?? false {
            throw FixtureProblem(at: place + [name], "expected a text of 1 to 200 characters")
        }
        try FaultBounds.require(1...Int.max, from, place + ["from"])
        try FaultBounds.require((from ?? 1)...Int.max, to, place + ["to"])
        let expected = "a number more than 0 and at most 1"
        try FaultBounds.require(
            Double.leastNonzeroMagnitude...1, probability, expected, place + ["probability"])
    }
}

extension FaultMatch {
    /// Which requests it means, in a few words: `app POST /token, hits 1 to 2`; empty for all of them.
    package var words: String {
        let place = [platform, method, path].compactMap(\.self).joined(separator: " ")
        var parts = place.isEmpty ? [] : [place]
        if let user { parts.append("user \(user)") }
        if let client { parts.append("client \(client)") }
        switch (from ?? 1, to) {
        case (1, nil): break
        case (1, let last?): parts.append(last == 1 ? "the first" : "the first \(last)")
        case (let first, nil): parts.append("from the \(first)th on")
        case (let first, let last?): parts.append("hits \(first) to \(last)")
        }
        if let probability { parts.append("\((probability * 100).plain) % of them") }
        return parts.joined(separator: ", ")
    }
}

/// Paths as rules spell them.
private enum FaultPath {
    static func fits(_ path: String, _ pattern: String) -> Bool {
        fits(
            path.split(separator: "/", omittingEmptySubsequences: false)[...],
            pattern.split(separator: "/", omittingEmptySubsequences: false)[...])
    }

    private static func fits(_ path: ArraySlice<Substring>, _ pattern: ArraySlice<Substring>) -> Bool {
        guard let wanted = pattern.first else { return path.isEmpty }
        if wanted == "*", pattern.count == 1 { return !path.isEmpty }
        guard let segment = path.first else { return false }
        let fits = wanted.hasPrefix(":") ? !segment.isEmpty : segmentFits(segment, wanted)
        return fits && self.fits(path.dropFirst(), pattern.dropFirst())
    }

    private static func segmentFits(_ segment: Substring, _ pattern: Substring) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last else {
            return segment == pattern
        }
        guard segment.count >= first.count + last.count, segment.hasPrefix(first), segment.hasSuffix(last)
        else { return false }
        var rest = segment.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let place = rest.firstRange(of: part) else { return false }
            rest = rest[place.upperBound...]
        }
        return true
    }
}
