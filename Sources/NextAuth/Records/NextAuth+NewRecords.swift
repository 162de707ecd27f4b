import Essentials
package import PlatformKit
import SQLite

extension NextAuth {
    /// Codes for enrolments.
    package func newRecords() throws -> [NewRecord] {
        let names = try database.read { db in try db.all(Server.self).map(\.id) }
        guard let first = names.first else { return [] }
        return [
            NewRecord(
                kind: RecordKind.enrolment.rawValue, title: "Create an enrolment code",
                inputs: [
                    ConsoleRecord.Input("name", "Name of the account", isRequired: true),
                    ConsoleRecord.Input("user", "User"),
                    ConsoleRecord.Input("server", "Server", isRequired: true, choices: names, preset: first),
                ])
        ]
    }

    package func makeRecord(_ kind: String, _ inputs: [String: String]) throws -> String {
        guard kind == RecordKind.enrolment.rawValue else {
            throw RecordRefusal.kindUnknown(kind, known: [RecordKind.enrolment.rawValue])
        }
        guard let name = inputs["name"] else { throw RecordRefusal.inputMissing("name") }
        guard let id = inputs["server"] else { throw RecordRefusal.inputMissing("server") }
        return try change { turn in
            guard let server = try Server.find(Server.standardID(id), in: turn.db) else {
                throw RecordRefusal.inputWrong("There is no server “\(id.prefix(60))”.")
            }
            // Nobody's browser waits for it, so any nonce will do.
            let nonce = services.entropy.token(for: "console")
            let code = try accounts.makeEnrolmentCode(name, user: inputs["user"], nonce, of: server, in: turn)
            return RecordKind.enrolment.id(code.ticket)
        }
    }
}
