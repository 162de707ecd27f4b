import Essentials
import SQLite

/// The association files, as the fixtures gave them.
struct AssociationStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE hanko_association (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            content TEXT NOT NULL -- JSON, as in a fixture file
        ) STRICT
        """
    ]

    let database: Database

    /// Empty when the fixtures say nothing of it.
    func association() throws -> AssociationFixture {
        try database.read(Self.export) ?? AssociationFixture()
    }

    static func load(_ association: AssociationFixture?, into db: Connection) throws {
        guard let association else { return }
        try association.check()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let text = String(decoding: try encoder.encode(association), as: UTF8.self)
        try db.execute("INSERT INTO hanko_association (only, content) VALUES (1, \(text))")
    }

    static func export(from db: Connection) throws -> AssociationFixture? {
        try db.value(String.self, "SELECT content FROM hanko_association").map {
            try JSONDecoder().decode(AssociationFixture.self, from: Data($0.utf8))
        }
    }
}
