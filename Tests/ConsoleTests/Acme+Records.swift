import Essentials
import PlatformKit
import SQLite

/// Devices of users, with forms of every sort; those that are removed are gone.
extension Acme {
    static let devices: [SQL] = [
        """
        CREATE TABLE acme_device (
            id TEXT PRIMARY KEY,
            user TEXT NOT NULL,
            created_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        """
        CREATE TABLE acme_device_step (
            device TEXT NOT NULL,
            state TEXT NOT NULL,
            note TEXT,
            at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
    ]

    private struct Device: RowDecodable {
        let id: String
        let user: String
        let createdAt: Date

        init(row: Row) throws {
            id = try row.text("id")
            user = try row.text("user")
            createdAt = try row.date("created_at")
        }
    }

    private struct Step: RowDecodable {
        let state: String
        let note: String?
        let at: Date

        init(row: Row) throws {
            state = try row.text("state")
            note = try row.optionalText("note")
            at = try row.date("at")
        }
    }

    /// Gives a user a device in the state `NEW`.
    func hand(_ id: String, to user: String) throws {
        let now = services.clock.now
        try database.write { db in
            try db.execute("INSERT INTO acme_device VALUES (\(id), \(user), \(now()))")
            try db.execute("INSERT INTO acme_device_step VALUES (\(id), 'NEW', NULL, \(now()))")
        }
        services.journal.event("device handed out", about: user, "The device \(id) was handed out.")
    }
}

extension Acme: KeepsRecords {
    static let recordKinds = [
        RecordKind<Acme>("device") { acme, limit, db in
            try db.all(
                Device.self, "SELECT * FROM acme_device ORDER BY created_at DESC, id LIMIT \(limit)"
            ).map { try acme.record($0, in: db) }
        } find: { acme, id, db in
            try db.first(Device.self, "SELECT * FROM acme_device WHERE id = \(id)")
                .map { try acme.record($0, in: db) }
        } act: {
            try $0.perform($1, onDevice: $2, $3)
        }
    ]

    private func record(_ device: Device, in db: Connection) throws -> ConsoleRecord {
        let steps = try db.all(
            Step.self, "SELECT * FROM acme_device_step WHERE device = \(device.id) ORDER BY rowid")
        let state = steps.last?.state ?? ""
        return ConsoleRecord(
            id: device.id, title: "Phone of \(device.user)", user: device.user, state: state,
            createdAt: device.createdAt,
            facts: [ConsoleRecord.Fact("Note", steps.compactMap(\.note).last ?? "none")],
            code: state == "NEW" ? "acme:\(device.id)" : nil, actions: actions(in: state),
            steps: steps.map { Transaction.Step($0.state, at: $0.at) })
    }

    private func actions(in state: String) -> [ConsoleRecord.Action] {
        let colour = ConsoleRecord.Input("colour", "Colour", choices: ["red", "blue"])
        let own =
            state == "NEW"
            ? ConsoleRecord.Action(
                "enrol", "Enrol",
                inputs: [ConsoleRecord.Input("pin", "PIN", isRequired: true, preset: "1234"), colour])
            : ConsoleRecord.Action(
                "block", "Block", inputs: [ConsoleRecord.Input("note", "Note", isLong: true)])
        return [
            own, ConsoleRecord.Action("refuse", "Refuse"),
            ConsoleRecord.Action("remove", "Remove", isFinal: true),
        ]
    }

    private func perform(_ action: String, onDevice id: String, _ inputs: [String: String]) throws {
        if action == "refuse" { throw Refused() }
        if inputs["pin"] == "0000" { throw RecordRefusal.impossible("Nobody takes 0000.") }
        try database.write { db in
            if action == "remove" {
                try db.execute("DELETE FROM acme_device WHERE id = \(id)")
            } else {
                let (state, now) = (action == "enrol" ? "ACTIVE" : "BLOCKED", services.clock.now())
                let note = inputs["note"] ?? inputs["colour"]
                try db.execute("INSERT INTO acme_device_step VALUES (\(id), \(state), \(note), \(now))")
            }
        }
    }
}

extension Acme: MakesRecords {
    static let recordMakers = [
        RecordMaker<Acme>("device") { _ in
            NewRecord(
                kind: "device", title: "Hand out a device",
                inputs: [ConsoleRecord.Input("user", "User", isRequired: true)])
        } make: { acme, inputs in
            let user = inputs["user"] ?? ""
            if user == "nobody" { throw Refused() }
            try acme.hand("of-\(user)", to: user)
            return "of-\(user)"
        },
        RecordMaker("otp") { _ in
            NewRecord(kind: "otp", title: "Ask a question", inputs: [])
        } make: { acme, _ in
            try acme.ask("asked")
            return "asked"
        },
    ]
}
