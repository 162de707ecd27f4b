import Essentials
import SQLite

/// The customers' projects.
struct ProjectStore: Sendable {
    /// In the order in which they came.
    func all(in db: Connection) throws -> [Project] {
        try db.all(StoredProject.self, "SELECT settings FROM miracl_project ORDER BY position").map(\.project)
    }

    /// Adds the project, or replaces the one with its id.
    func save(_ project: Project, in db: Connection) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let settings = String(decoding: try encoder.encode(project), as: UTF8.self)
        try db.execute(
            """
            INSERT INTO miracl_project (id, settings) VALUES (\(project.id), \(settings))
            ON CONFLICT DO UPDATE SET settings = excluded.settings
            """)
    }
}

private struct StoredProject: RowDecodable {
    let project: Project

    init(row: Row) throws {
        project = try JSONDecoder().decode(Project.self, from: Data(try row.text("settings").utf8))
    }
}
