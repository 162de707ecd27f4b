import Essentials
import HTTP

extension FaultRule {
    /// Makes sure that a rule is one.
    ///
    /// - Parameters:
    ///   - platforms: names that ``FaultMatch/platform`` can have.
    ///   - path: of the rule, for what is thrown.
    /// - Throws: ``FixtureProblem``.
    package func check(platforms: [String], at path: [String] = []) throws {
        guard name.isEmpty || Worlds.isName(name) else {
            throw FixtureProblem(
                at: path + ["name"],
                Self.nameExpected + ", found “\(name.prefix(60))”")
        }
        try Self.require(0...Int.max, seen, path + ["seen"])
        try Self.require(0...Int.max, struck, path + ["struck"])
        try match.check(platforms: platforms, at: path + ["match"])
        try effect.check(at: path + ["effect"])
    }

    fileprivate static func require(_ range: ClosedRange<Int>, _ number: Int?, _ path: [String]) throws {
        guard let number, !range.contains(number) else { return }
        let bounds =
            range.upperBound == .max
            ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
        throw FixtureProblem(at: path, "expected a whole number, \(bounds), found \(number)")
    }

    fileprivate static func require(
        _ range: ClosedRange<Double>, _ number: Double?, _ expected: String, _ path: [String]
    ) throws {
        guard let number, !range.contains(number) else { return }
        throw FixtureProblem(at: path, "expected \(expected), found \(number.plain)")
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

extension FaultMatch {
    fileprivate func check(platforms: [String], at place: [String]) throws {
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
        try FaultRule.require(1...Int.max, from, place + ["from"])
        try FaultRule.require((from ?? 1)...Int.max, to, place + ["to"])
        let expected = "a number more than 0 and at most 1"
        try FaultRule.require(
            Double.leastNonzeroMagnitude...1, probability, expected, place + ["probability"])
    }
}

extension FaultEffect {
    /// Seconds that a fault may hold something up.
    static let mostSeconds = 3600.0
    /// Years either way that a device's clock can be wrong.
    private static let mostSkew = 100 * 365.25 * 86_400
    /// Bytes of a body.
    private static let mostBytes = 1 << 20

    fileprivate func check(at path: [String]) throws {
        guard kinds.count == 1 else {
            let known = CodingKeys.allCases.map(\.rawValue).joined(separator: ", ")
            let found = kinds.isEmpty ? "none" : kinds.map(\.rawValue).joined(separator: " and ")
            throw FixtureProblem(at: path, "expected exactly one of \(known), found \(found)")
        }
        try answer?.check(at: path + ["answer"])
        try Self.check(delay?.seconds, path + ["delay", "seconds"])
        try Self.check(delay?.spread, path + ["delay", "spread"])
        try FaultRule.require(0...Self.mostBytes, truncate?.bytes, path + ["truncate", "bytes"])
        try FaultRule.require(1...Self.mostBytes, trickle?.bytes, path + ["trickle", "bytes"])
        try Self.check(trickle?.seconds, path + ["trickle", "seconds"])
        try FaultRule.require(0...1_000_000, rateLimit?.requests, path + ["rate_limit", "requests"])
        try Self.check(rateLimit?.seconds, path + ["rate_limit", "seconds"])
        for (name, delivery) in [("mail", mail), ("sms", sms), ("push", push), ("callback", callback)] {
            try delivery?.check(at: path + [name])
        }
        let expected = "a number of seconds, at most 3155760000 (100 years) either way"
        try FaultRule.require(
            -Self.mostSkew...Self.mostSkew, clockSkew?.seconds, expected, path + ["clock_skew", "seconds"])
    }

    fileprivate static func check(_ seconds: Double?, _ path: [String]) throws {
        try FaultRule.require(0.001...mostSeconds, seconds, "a number of seconds from 0.001 to 3600", path)
    }
}

extension FaultEffect.Answer {
    fileprivate func check(at path: [String]) throws {
        try FaultRule.require(200...599, status, path + ["status"])
        for (name, value) in headers ?? [:] {
            guard !name.isEmpty, name.utf8.allSatisfy({ $0.isToken }),
                value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), value.utf8.count <= 4096
            else {
                throw FixtureProblem(
                    at: path + ["headers", name], "expected the name of a header field and a text on one line"
                )
            }
        }
        guard let count = body?.bytes.count, count > 64 * 1024 else { return }
        throw FixtureProblem(at: path + ["body"], "expected at most 65536 bytes, found \(count)")
    }
}

extension FaultEffect.Delivery {
    fileprivate func check(at path: [String]) throws {
        if fate == .late, seconds == nil {
            throw FixtureProblem(at: path + ["seconds"], "expected the seconds by which it is late")
        }
        if fate != .late, seconds != nil {
            throw FixtureProblem(at: path + ["seconds"], "only what is late has seconds")
        }
        try FaultEffect.check(seconds, path + ["seconds"])
    }
}

extension FaultMatch {
    /// What a fault can call a section: its name, or one of its mounts.
    package static func names(of section: any Section.Type) -> [String] {
        [section.name] + ((section as? any Platform.Type)?.mountPaths ?? [])
    }
}
