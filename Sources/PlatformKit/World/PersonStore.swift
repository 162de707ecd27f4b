package import SQLite

/// The people of a world.
package struct PersonStore: Sendable {
    package static let migrations: [SQL] = [
        """
        CREATE TABLE kit_person (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            email TEXT NOT NULL,
            story TEXT NOT NULL
        ) STRICT
        """
    ]

    let database: Database

    package init(database: Database) { self.database = database }

    /// In the order of the fixtures.
    package func all() throws -> [Person] { try database.read { try Self.export(from: $0) } }

    static func load(_ people: [Person], into db: Connection) throws {
        for (index, person) in people.enumerated() {
            guard !people[..<index].contains(where: { $0.id == person.id }) else {
                throw FixtureProblem(at: [String(index), "id"], "the id “\(person.id)” appears twice")
            }
            try db.execute(
                """
                INSERT INTO kit_person (position, id, name, email, story)
                VALUES (\(index), \(person.id), \(person.name), \(person.email), \(person.story))
                """)
        }
    }

    static func export(from db: Connection) throws -> [Person] {
        try db.all(Person.self, "SELECT * FROM kit_person ORDER BY position")
    }
}
