import SQLite

/// A project as it is kept: a document.
struct KeptProject: Record {
    static let table: Table = "miracl_project"
    let id: String
    let settings: Project

    init(_ project: Project) { (id, settings) = (project.id, project) }
}

extension Project {
    /// In the order in which they came.
    static func all(in db: Connection) throws -> [Project] { try db.all(KeptProject.self).map(\.settings) }
}
