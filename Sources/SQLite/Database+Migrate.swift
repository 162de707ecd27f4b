extension Database {
    /// Brings the tables up to date: of each name, the steps that this database has not seen run in their order.
    ///
    /// All of it is one transaction. The number of steps done stands in the table `schema_step`, so a step that
    /// was released is never changed and never removed.
    ///
    /// - Throws: ``SchemaTooNew`` when the database has seen more steps than there are; ``UnsoundTable`` when it says that it saw fewer
    ///   than none.
    package func migrate(_ groups: [(name: String, steps: [SQL])]) throws {
        try write { db in
            try db.execute(
                """
                CREATE TABLE IF NOT EXISTS schema_step (
                    name TEXT PRIMARY KEY,
                    applied INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID
                """)
            for group in groups { try db.migrate(group.name, group.steps) }
        }
    }
}

extension Connection {
    fileprivate func migrate(_ name: String, _ steps: [SQL]) throws {
        let applied = try value(Int.self, "SELECT applied FROM schema_step WHERE name = \(name)") ?? 0
        guard applied <= steps.count else {
            throw SchemaTooNew(name: name, applied: applied, known: steps.count)
        }
        guard applied >= 0 else {
            throw UnsoundTable("schema_step", "applied", "expected 0 to \(steps.count), found \(applied)")
        }
        if applied == steps.count { return }
        for step in steps[applied...] { try execute(step) }
        try execute("INSERT OR REPLACE INTO schema_step (name, applied) VALUES (\(name), \(steps.count))")
    }
}

extension Database {
    /// Whether ``migrate(_:)`` has ever been here.
    package var isOurs: Bool {
        get throws {
            try read { db in
                try db.value(Int.self, "SELECT count(*) FROM sqlite_schema WHERE name = 'schema_step'") == 1
            }
        }
    }
}
