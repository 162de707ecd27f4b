package import SQLite

/// Keeps what is worth looking at and changing from outside: users, devices, credentials, sessions.
package protocol KeepsRecords: Section {
    /// In the order of the list, where two are of the same time.
    static var recordKinds: [RecordKind<Self>] { get }

    /// Looks at what is true now: in one view of the database.
    func reading<Value: Sendable>(_ body: (Connection) throws -> Value) throws -> Value
}

/// Makes records, or transactions, from outside.
package protocol MakesRecords: Section {
    static var recordMakers: [RecordMaker<Self>] { get }
}

/// One kind of records of a section: how they are found, and what can be done to them. Newest-first order, limit and names are the kit's.
package struct RecordKind<Owner: Section>: Sendable {
    /// How many of each kind a list has, the newest.
    package static var shown: Int { 500 }

    /// As the platform calls it: `registration`.
    package let name: String
    private let newest: @Sendable (Owner, Int, Connection) throws -> [ConsoleRecord]
    private let find: @Sendable (Owner, String, Connection) throws -> ConsoleRecord?
    fileprivate let act: @Sendable (Owner, _ action: String, _ id: String, [String: String]) throws -> Void

    /// - Parameters:
    ///   - newest: at most so many.
    ///   - find: by its id, also when the list does not reach back to it.
    ///   - act: an action that the record offers, its id, and what was filled in.
    package init(
        _ name: String, newest: @escaping @Sendable (Owner, Int, Connection) throws -> [ConsoleRecord],
        find: @escaping @Sendable (Owner, String, Connection) throws -> ConsoleRecord?,
        act: @escaping @Sendable (Owner, _ action: String, _ id: String, [String: String]) throws -> Void
    ) {
        (self.name, self.newest, self.find, self.act) = (name, newest, find, act)
    }

    fileprivate func all(_ owner: Owner, in db: Connection) throws -> [ConsoleRecord] {
        try newest(owner, Self.shown, db).map(named)
    }

    fileprivate func record(_ id: String, _ owner: Owner, in db: Connection) throws -> ConsoleRecord? {
        try find(owner, id, db).map(named)
    }

    private func named(_ record: ConsoleRecord) -> ConsoleRecord {
        var record = record
        (record.platform, record.kind) = (Owner.name, name)
        return record
    }
}

/// What can be made from outside: a form, and what comes of it.
package struct RecordMaker<Owner: Section>: Sendable {
    /// ``NewRecord/kind``
    package let kind: String
    fileprivate let form: @Sendable (Owner) throws -> NewRecord?
    fileprivate let make: @Sendable (Owner, [String: String]) throws -> String

    /// - Parameters:
    ///   - form: nil where none can be made in this world.
    ///   - make: from what was filled in, by name; what is missing or empty was left out. Gives the id.
    package init(
        _ kind: String, form: @escaping @Sendable (Owner) throws -> NewRecord?,
        make: @escaping @Sendable (Owner, [String: String]) throws -> String
    ) {
        (self.kind, self.form, self.make) = (kind, form, make)
    }
}

extension KeepsRecords {
    package func reading<Value: Sendable>(_ body: (Connection) throws -> Value) throws -> Value {
        try world.database.read(body)
    }

    /// The newest of each kind, newest first.
    package func records() throws -> [ConsoleRecord] {
        try reading { db in try Self.recordKinds.flatMap { try $0.all(self, in: db) } }
            .newestFirst(by: \.createdAt)
    }

    /// The record with this id, also when the list does not reach back to it; nil when there is none.
    package func record(_ id: String) throws -> ConsoleRecord? { try found(id)?.record }

    private func found(_ id: String) throws -> (record: ConsoleRecord, index: Int)? {
        try reading { db in
            for (index, kind) in Self.recordKinds.enumerated() {
                if let record = try kind.record(id, self, in: db) { return (record, index) }
            }
            return nil
        }
    }

    /// Does an action to a record: ``ConsoleRecord/actions`` names what can be done.
    ///
    /// - Parameter inputs: by name; those that are missing or empty were left out.
    /// - Throws: ``RecordRefusal`` or a refusal of the platform's own.
    package func perform(_ action: String, onRecord id: String, _ inputs: [String: String]) throws {
        guard let (record, index) = try found(id) else { throw RecordRefusal.unknown(id) }
        guard record.actions.contains(where: { $0.name == action }) else {
            throw RecordRefusal.actionUnknown(action, known: record.actions.map(\.name))
        }
        try Self.recordKinds[index].act(self, action, id, inputs)
    }
}

extension MakesRecords {
    /// What can be made, in this world.
    package func newRecords() throws -> [NewRecord] { try Self.recordMakers.compactMap { try $0.form(self) } }

    /// Makes a record of the kind, or a transaction.
    ///
    /// - Parameter inputs: by name; those that are missing or empty were left out.
    /// - Returns: its id.
    /// - Throws: ``RecordRefusal`` or a refusal of the platform's own.
    package func makeRecord(_ kind: String, _ inputs: [String: String]) throws -> String {
        guard let maker = Self.recordMakers.first(where: { $0.kind == kind }) else {
            throw RecordRefusal.kindUnknown(kind, known: Self.recordMakers.map(\.kind))
        }
        return try maker.make(self, inputs)
    }
}

extension ConsoleRecord.Fact {
    /// Those whose value is known.
    package static func known(_ all: [(name: String, value: String?)]) -> [Self] {
        all.compactMap { name, value in value.map { Self(name, $0) } }
    }
}
