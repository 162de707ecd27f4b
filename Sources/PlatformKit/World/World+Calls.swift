import SQLite

extension World {
    /// Whom it may call by itself; nil for everybody.
    package var calls: CallsFixture? { core.gate.calls }

    package var unansweredCalls: UnansweredCalls { core.gate.unanswered }

    /// Has the world call nobody else by itself from now on.
    ///
    /// - Throws: ``FixtureProblem``.
    package func limitCalls(to calls: CallsFixture) throws {
        let checked = try calls.checked()
        try database.write { try CallsFixture.setting.set(checked, in: $0) }
        core.gate.replace(with: checked)
    }
}
