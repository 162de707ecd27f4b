import SQLite

extension FaultRule {
    /// The section of fixtures, and the member of the control API's lists.
    package static let section = "faults"

    /// One rule of the text of a request.
    ///
    /// - Throws: ``FixtureError``.
    package static func rule(reading text: [UInt8], platforms: [String]) throws -> FaultRule {
        let set = try FixtureSet(text: text, file: file)
        let rule = try FixtureDecoder.decode(FaultRule.self, from: set.root, at: [])
        do {
            try rule.check(platforms: platforms)
        } catch let problem as FixtureProblem {
            let path = problem.path
            throw FixtureError(
                at: set.root.nearest(to: path), path: set.root.written(path), reason: problem.reason)
        }
        return rule
    }

    /// The rules of `{"faults": […]}`, each with its name.
    ///
    /// - Throws: ``FixtureError``.
    package static func rules(reading text: [UInt8], platforms: [String]) throws -> [FaultRule] {
        let set = try FixtureSet(text: text, file: file)
        try set.refuseSections(besides: [section])
        guard set.root.member(section) != nil else {
            throw FixtureError(at: set.root, path: [section], reason: "the member “faults” is missing")
        }
        var rules: [FaultRule] = []
        try set.locating(section) {
            rules = try checked(set.decode([FaultRule].self, section: section), platforms)
        }
        return rules
    }

    private static let file = "request body"

    /// The section of fixtures.
    ///
    /// - Throws: ``FixtureProblem``.
    static func load(_ rules: [FaultRule], of platforms: [String], into db: Connection) throws {
        for rule in try checked(rules, platforms) { try db.insert(rule) }
    }

    private static func checked(_ rules: [FaultRule], _ platforms: [String]) throws -> [FaultRule] {
        guard rules.count <= limit else {
            throw FixtureProblem(at: [String(limit)], "a world has at most \(limit) faults")
        }
        for (index, rule) in rules.enumerated() { try rule.check(platforms: platforms, at: [String(index)]) }
        return try named(rules)
    }
}

extension FaultRule {
    /// Without what only the rule itself needs to go on.
    package var shown: FaultRule {
        var rule = self
        rule.window = nil
        return rule
    }
}
