import Essentials
import SQLite

extension World {
    /// What the faults do to a request; nil where no rule is about it. See ``FaultStrikes``.
    ///
    /// - Parameters:
    ///   - path: below the platform's mount.
    ///   - platform: its name, and the mount that the request came to.
    ///   - names: whom the request names.
    func strikes(
        at method: String, _ path: String, of platform: [String], names: () throws -> RequestNames
    ) throws -> FaultStrikes? {
        try FaultStrikes(
            method, path, of: platform, by: core.faults, services.clock, services.entropy, names: names)
    }

    /// In their order, with what they counted so far.
    package var faults: [FaultRule] { core.faults.rules }

    /// - Throws: ``FaultRefusal``.
    package func fault(_ name: String) throws -> FaultRule {
        let rules = faults
        guard let rule = rules.first(where: { $0.name == name }) else {
            throw FaultRefusal.unknown(name, existing: rules.map(\.name))
        }
        return rule
    }

    /// Puts a rule behind the others.
    ///
    /// - Returns: the rule with its name.
    /// - Throws: ``FaultRefusal``.
    package func addFault(_ rule: FaultRule) throws -> FaultRule {
        try changeFaults { rules in
            guard rule.name.isEmpty || !rules.contains(where: { $0.name == rule.name }) else {
                throw FaultRefusal.nameTaken(rule.name)
            }
            let named = try FaultRule.named([rule], besides: rules)
            rules += named
            return named.first ?? rule
        }
    }

    /// Puts a rule in the place of the one with its name, or behind the others.
    ///
    /// - Returns: whether it is new.
    package func putFault(_ rule: FaultRule) throws -> Bool {
        try changeFaults { rules in
            guard let place = rules.firstIndex(where: { $0.name == rule.name }) else {
                rules.append(rule)
                return true
            }
            rules[place] = rule
            return false
        }
    }

    /// Puts `new` in the place of all rules.
    ///
    /// - Returns: them with their names.
    /// - Throws: ``FixtureProblem`` for a name that stands there twice.
    package func replaceFaults(with new: [FaultRule]) throws -> [FaultRule] {
        let named = try FaultRule.named(new)
        try changeFaults { $0 = named }
        return named
    }

    /// - Throws: ``FaultRefusal``.
    package func deleteFault(_ name: String) throws {
        try changeFaults { rules in
            guard let place = rules.firstIndex(where: { $0.name == name }) else {
                throw FaultRefusal.unknown(name, existing: rules.map(\.name))
            }
            rules.remove(at: place)
        }
    }

    private func changeFaults<Value>(_ edit: (inout [FaultRule]) throws -> Value) throws -> Value {
        try core.faults.change(in: database, edit)
    }
}

extension Services {
    /// These services for a request that faults are about.
    func struck(by strikes: FaultStrikes, in core: WorldCore) -> Services {
        let (clock, skew) = (self.clock, strikes.skew)
        let outbox = Outbox { message in
            let strike = strikes.strike(on: message)
            let letters = try core.database.write {
                try core.insert(message, strike, at: clock.now(), in: $0)
            }
            for letter in letters { core.announce(letter) }
            if strike?.delivery.fate == .late { core.deliverLateMessages() }
        }
        return replacing(
            clock: skew == 0
                ? nil
                : WallClock(
                    now: { clock.now().addingTimeInterval(-skew) },
                    issuingTime: { clock.issuingTime().addingTimeInterval(-skew) }),
            outbox: outbox, callbacks: callbacks.struck(by: strikes),
            tokenAlterations: strikes.tokenAlterations)
    }
}
