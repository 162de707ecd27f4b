package import SQLite

/// What has tables in every world and a part of the fixtures. A ``Platform`` is one that answers on the wire; simulated phones are one
/// that does not.
///
/// What else it can do are capabilities, small protocols that it adopts beside the code that does it: `extension Acme: KeepsRecords`.
/// Whoever wants one asks for it (``World/ask(_:_:)``) and does without it.
///
/// A value is made for each request from the world it belongs to: it holds references, no state.
package protocol Section: Sendable {
    /// Its top-level member of a fixture file.
    associatedtype Fixtures: Codable & Sendable

    /// Fixture key, and for a platform its path segment and name in the journal: lower case, stable, such as `"powerauth"`.
    static var name: String { get }

    /// What people call it, such as `"Wultra PowerAuth"`.
    static var title: String { get }

    /// Schema steps, oldest first. Append to the list; a shipped step is never edited.
    static var migrations: [SQL] { get }

    /// What the rows of its tables are: a database from outside is read whole by them before it is used.
    static var records: [any Record.Type] { get }

    /// Schemas of the standards that it speaks together with others; each is made once in a world, before the sections' own.
    static var foundations: [Schema] { get }

    var world: World { get }

    init(_ world: World)

    /// Writes its part of a fixture file into an empty database, inside the transaction that loads the whole file.
    ///
    /// - Throws: ``FixtureProblem`` for what the shapes cannot say: a duplicate, a reference to nothing.
    static func load(_ fixtures: Fixtures, into db: Connection) throws

    /// The present state as fixtures that ``load(_:into:)`` turns into the same state again.
    static func export(from db: Connection) throws -> Fixtures
}

extension Section {
    package static var foundations: [Schema] { [] }
    package static var records: [any Record.Type] { [] }

    package var database: Database { world.database }
    package var services: Services { world.services }
}

extension World {
    /// A section of this world as something that it can do; nil when it cannot: `world.ask(type, (any KeepsRecords).self)`.
    package func ask<Capability>(_ type: any Section.Type, _: Capability.Type) -> Capability? {
        type.init(self) as? Capability
    }
}
