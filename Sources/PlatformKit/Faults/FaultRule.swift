import Essentials
package import SQLite

/// Something that goes wrong on purpose: which requests it is about, what becomes of them, and how often it did.
///
/// The rules of a world are asked in their order; see ``FaultStrikes``.
package struct FaultRule: Record, Equatable {
    package static let table = Table("kit_fault", key: "name")

    static let migrations: [SQL] = [
        """
        CREATE TABLE kit_fault (
            name TEXT PRIMARY KEY,
            "match" TEXT NOT NULL, -- JSON
            effect TEXT NOT NULL, -- JSON
            seen INTEGER NOT NULL, -- hits, whether it struck or not
            struck INTEGER NOT NULL,
            "window" TEXT -- JSON, of a rate limit
        ) STRICT
        """
    ]

    static let nameExpected = "expected 1 to 40 of the characters a-z, 0-9 and -"

    /// In one world.
    package static let limit = 100

    /// 1 to 40 of a-z, 0-9 and `-`; empty for one that is to be made up, see ``named(among:)``.
    package var name: String
    package var match: FaultMatch
    package var effect: FaultEffect
    /// What fitted ``match``, but for its hits and its probability: requests, or mails, callbacks and tokens where it is about those.
    package var seen = 0
    package var struck = 0
    /// Of a rate limit: how much came since when.
    var window: Window?

    package enum CodingKeys: String, CodingKey { case name, match, effect, seen, struck, window }

    struct Window: Codable, Sendable, Equatable {
        /// By the world's clock.
        var beganAt: Date
        var requests: Int

        enum CodingKeys: String, CodingKey {
            case beganAt = "began_at"
            case requests
        }
    }

    package init(_ name: String = "", _ match: FaultMatch = FaultMatch(), _ effect: FaultEffect) {
        (self.name, self.match, self.effect) = (name, match, effect)
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let name = try members.decodeIfPresent(String.self, forKey: .name)
        guard name != "" else {
            throw FixtureProblem(at: ["name"], Self.nameExpected + ", found an empty text")
        }
        self.name = name ?? ""
        match = try members.decodeIfPresent(FaultMatch.self, forKey: .match) ?? FaultMatch()
        effect = try members.decode(FaultEffect.self, forKey: .effect)
        seen = try members.decodeIfPresent(Int.self, forKey: .seen) ?? 0
        struck = try members.decodeIfPresent(Int.self, forKey: .struck) ?? 0
        window = try members.decodeIfPresent(Window.self, forKey: .window)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        if !name.isEmpty { try members.encode(name, forKey: .name) }
        try members.encode(match, forKey: .match)
        try members.encode(effect, forKey: .effect)
        try members.encode(seen, forKey: .seen)
        try members.encode(struck, forKey: .struck)
        try members.encodeIfPresent(window, forKey: .window)
    }

    /// Counts a hit.
    ///
    /// - Parameters:
    ///   - now: the world's time.
    ///   - dice: a number from 0 up to 1, drawn where the rule asks for one.
    /// - Returns: whether it strikes.
    mutating func meet(at now: Date, dice: () -> Double) -> Bool {
        seen.increment()
        guard seen >= match.from ?? 1, seen <= match.to ?? .max else { return false }
        if let probability = match.probability, dice() >= probability { return false }
        if let rate = effect.rateLimit, !exceeds(rate, at: now) { return false }
        struck.increment()
        return true
    }

    /// The window begins with the first request behind the last one.
    private mutating func exceeds(_ rate: FaultEffect.RateLimit, at now: Date) -> Bool {
        var open = window ?? Window(beganAt: now, requests: 0)
        if !(0..<rate.seconds).contains(now.timeIntervalSince(open.beganAt)) {
            open = Window(beganAt: now, requests: 0)
        }
        open.requests.increment()
        window = open
        return open.requests > rate.requests
    }

    /// Whole seconds until the window of its rate limit is over, at least 1.
    func secondsToWait(at now: Date) -> Int {
        guard let rate = effect.rateLimit, let window else { return 1 }
        let left = rate.seconds - now.timeIntervalSince(window.beganAt)
        return max(1, Int(saturating: left, .up))
    }
}

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

/// Paths as rules spell them.
enum FaultPath {
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
