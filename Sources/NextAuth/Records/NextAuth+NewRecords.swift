import Essentials
package import PlatformKit
import SQLite

/// Codes for enrolments.
extension NextAuth: MakesRecords {
    package static let recordMakers = [
        RecordMaker<NextAuth>(Holding.enrolment.rawValue) { platform in
            let names = try platform.database.read { db in try db.all(Server.self).map(\.id) }
            guard let first = names.first else { return nil }
            return NewRecord(
                kind: Holding.enrolment.rawValue, title: "Create an enrolment code",
                inputs: [
                    ConsoleRecord.Input("name", "Name of the account", isRequired: true),
                    ConsoleRecord.Input("user", "User"),
                    ConsoleRecord.Input("server", "Server", isRequired: true, choices: names, preset: first),
                ])
        } make: {
            try $0.makeEnrolment($1)
        }
    ]

    private func makeEnrolment(_ inputs: [String: String]) throws -> String {
        guard let name = inputs["name"] else { throw RecordRefusal.inputMissing("name") }
        guard let id = inputs["server"] else { throw RecordRefusal.inputMissing("server") }
        return try change { turn in
            guard let server = try Server.find(Server.standardID(id), in: turn.db) else {
                throw RecordRefusal.inputWrong("There is no server “\(id.prefix(60))”.")
            }
            // Nobody's browser waits for it, so any nonce will do.
            let nonce = services.entropy.token(for: "console")
            let code = try accounts.makeEnrolmentCode(name, user: inputs["user"], nonce, of: server, in: turn)
            return Holding.enrolment.id(code.ticket)
        }
    }
}
