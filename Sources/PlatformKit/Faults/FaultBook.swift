import Essentials
import SQLite
import Synchronization

/// The fault rules of a world, in memory: a world without rules pays for one look at a flag. The database follows after each request
/// that met a rule.
final class FaultBook: Sendable {
    private struct State {
        var rules: [FaultRule]
        /// Rules whose numbers the database does not have yet.
        var changed: Set<String> = []
    }

    private let state: Mutex<State>
    private let holdsRules: Atomic<Bool>
    /// Held while rules are brought into the database, so that numbers of rules that are gone cannot come behind. Taken before the
    /// database's lock, and never while a transaction is open: ``meet(_:at:dice:)`` is called in transactions.
    private let writing = Mutex(())

    init(_ rules: [FaultRule]) {
        state = Mutex(State(rules: rules))
        holdsRules = Atomic(!rules.isEmpty)
    }

    var isEmpty: Bool { !holdsRules.load(ordering: .relaxed) }
    var rules: [FaultRule] { state.withLock { $0.rules } }

    /// Counts a hit of the rule.
    ///
    /// - Returns: the rule as it is then, when it strikes.
    func meet(_ name: String, at now: Date, dice: () -> Double) -> FaultRule? {
        state.withLock { state in
            guard let place = state.rules.firstIndex(where: { $0.name == name }) else { return nil }
            state.changed.insert(name)
            return state.rules[place].meet(at: now, dice: dice) ? state.rules[place] : nil
        }
    }

    /// What a strike was counted for came to nothing.
    func takeBack(_ name: String) {
        state.withLock { state in
            guard let place = state.rules.firstIndex(where: { $0.name == name }) else { return }
            state.rules[place].seen = max(0, state.rules[place].seen.subtracting(1))
            state.rules[place].struck = max(0, state.rules[place].struck.subtracting(1))
        }
    }

    /// Writes down what was counted.
    func keep(in database: Database) throws {
        try writing.withLock { _ in
            let changed = state.withLock { state in
                defer { state.changed = [] }
                return state.rules.filter { state.changed.contains($0.name) }
            }
            guard !changed.isEmpty else { return }
            try database.write { db in
                for rule in changed { try db.update(rule, .seen, .struck, .window) }
            }
        }
    }

    /// Changes the rules, in the database too.
    ///
    /// - Parameter edit: is done twice, to what is written and to what came of it meanwhile; what it throws changes nothing.
    func change<Value>(in database: Database, _ edit: (inout [FaultRule]) throws -> Value) throws -> Value {
        try writing.withLock { _ in
            var rules = self.rules
            _ = try edit(&rules)
            guard rules.count <= FaultRule.limit else { throw FaultRefusal.tooMany }
            try database.write { db in
                try db.execute("DELETE FROM kit_fault")
                for rule in rules { try db.insert(rule) }
            }
            return try state.withLock { state in
                defer { holdsRules.store(!state.rules.isEmpty, ordering: .relaxed) }
                return try edit(&state.rules)
            }
        }
    }

    /// Takes over what another database says, which `restore` puts in the place of the one before.
    func replace(with rules: [FaultRule], _ restore: () throws -> Void) rethrows {
        try writing.withLock { _ in
            try restore()
            state.withLock { $0 = State(rules: rules) }
            holdsRules.store(!rules.isEmpty, ordering: .relaxed)
        }
    }
}

/// Why a rule was not shown or changed.
package enum FaultRefusal: Refusal, Equatable {
    case unknown(String, existing: [String])
    case nameTaken(String)
    case tooMany

    package var explanation: String {
        switch self {
        case .unknown(let name, let existing):
            "There is no fault “\(name.prefix(60))”; "
                + (existing.isEmpty
                    ? "there are none." : "known are \(existing.joined(separator: ", ")).")
        case .nameTaken(let name):
            "There is a fault “\(name)” already; replace it with PUT, or choose another name."
        case .tooMany: "A world has at most \(FaultRule.limit) faults; delete some."
        }
    }
}
