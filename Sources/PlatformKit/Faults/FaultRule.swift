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
    package var effect: any FaultEffect
    /// What fitted ``match``, but for its hits and its probability: requests, or mails, callbacks and tokens where it is about those.
    package var seen = 0
    package var struck = 0
    /// Of a rate limit: how much came since when.
    var window: FaultWindow?

    package enum CodingKeys: String, CodingKey { case name, match, effect, seen, struck, window }

    package init(_ name: String = "", _ match: FaultMatch = FaultMatch(), _ effect: any FaultEffect) {
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
        effect = try members.decode(WrittenEffects.self, forKey: .effect).only()
        seen = try members.decodeIfPresent(Int.self, forKey: .seen) ?? 0
        struck = try members.decodeIfPresent(Int.self, forKey: .struck) ?? 0
        window = try members.decodeIfPresent(FaultWindow.self, forKey: .window)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        if !name.isEmpty { try members.encode(name, forKey: .name) }
        try members.encode(match, forKey: .match)
        try members.encode(WrittenEffects(effect), forKey: .effect)
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
        if effect.spares(&window, at: now) { return false }
        struck.increment()
        return true
    }
}

extension FaultRule {
    package static func == (one: FaultRule, other: FaultRule) -> Bool {
        one.name == other.name && one.match == other.match && one.effect.isEqual(to: other.effect)
            && one.seen == other.seen && one.struck == other.struck && one.window == other.window
    }
}

extension FaultRule {
    /// Makes sure that a rule is one.
    ///
    /// - Parameters:
    ///   - platforms: names that ``FaultMatch/platform`` can have.
    ///   - path: of the rule, for what is thrown.
    /// - Throws: ``FixtureProblem``.
    package func check(platforms: [String], at path: [String] = []) throws {
        guard name.isEmpty || WorldName.isOne(name) else {
            throw FixtureProblem(
                at: path + ["name"],
                Self.nameExpected + ", found “\(name.prefix(60))”")
        }
        try FaultBounds.require(0...Int.max, seen, path + ["seen"])
        try FaultBounds.require(0...Int.max, struck, path + ["struck"])
        try match.check(platforms: platforms, at: path + ["match"])
        try effect.check(at: path + ["effect", type(of: effect).key])
    }

    /// Each with a name of its own: those that have none get one after what they do.
    ///
    /// - Throws: ``FixtureProblem`` for a name that is taken.
    package static func named(_ rules: [FaultRule], besides others: [FaultRule] = []) throws -> [FaultRule] {
        var taken = Set(others.map(\.name))
        for (index, rule) in rules.enumerated() where !rule.name.isEmpty {
            guard taken.insert(rule.name).inserted else {
                throw FixtureProblem(at: [String(index), "name"], "“\(rule.name)” appears twice")
            }
        }
        return rules.map { rule in
            guard rule.name.isEmpty else { return rule }
            var rule = rule
            let plain = rule.effect.slug
            var number = 1
            repeat {
                rule.name = number == 1 ? plain : "\(plain)-\(number)"
                number += 1
            } while !taken.insert(rule.name).inserted
            return rule
        }
    }
}
