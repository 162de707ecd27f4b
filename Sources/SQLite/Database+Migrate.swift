extension Database {
    /// Brings the tables up to date: runs the steps of each list that this database has not seen, all in one transaction.
    ///
    /// - Parameter lists: each under a stable name; a list only ever grows at its end.
    /// - Throws: ``NewerSchema`` when the database has seen more steps than there are.
    package func migrate(_ lists: [(name: String, steps: [SQL])]) throws {
        try write { db in
            try db.execute(
                "CREATE TABLE IF NOT EXISTS schema_step (name TEXT PRIMARY KEY, done INTEGER NOT NULL) STRICT"
            )
            for list in lists {
                let done = try db.integer("SELECT done FROM schema_step WHERE name = \(list.name)") ?? 0
                guard done <= list.steps.count else { throw NewerSchema(name: list.name) }
                if done == list.steps.count { continue }
                for step in list.steps.dropFirst(done) { try db.execute(step) }
                try db.execute(
                    """
                    INSERT INTO schema_step (name, done) VALUES (\(list.name), \(list.steps.count))
                    ON CONFLICT (name) DO UPDATE SET done = excluded.done
                    """)
            }
        }
    }
}

/// The database was written by a newer version of the program.
package struct NewerSchema: Error, Equatable, CustomStringConvertible {
    package let name: String
    package var description: String { "its tables of \(name) were made by a newer version of the program" }
}
