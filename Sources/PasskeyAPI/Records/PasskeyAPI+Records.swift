import Essentials
package import PlatformKit
import SQLite

extension PasskeyAPI: KeepsRecords {
    package static let recordKinds = [
        RecordKind<PasskeyAPI>("user") { _, limit, db in
            try db.all(User.self, order: "created_at DESC, rowid DESC", limit: limit).map {
                try shown($0, in: db)
            }
        } find: { _, id, db in
            try key(id, "user").flatMap { tenant, own in
                try db.first(User.self, where: "tenant_id = \(tenant) AND id = \(own)").map {
                    try shown($0, in: db)
                }
            }
        } act: { platform, _, id, _ in
            guard let (tenant, own) = key(id, "user") else { throw RecordRefusal.unknown(id) }
            try platform.world.change { turn in
                let mine: SQL = "tenant_id = \(tenant) AND user_id = \(own)"
                try turn.db.delete(Credential.self, where: mine)
                try turn.db.delete(SignedTransaction.self, where: mine)
                try turn.db.delete(Challenge.self, where: mine)
                try turn.db.delete(User.self, where: "tenant_id = \(tenant) AND id = \(own)")
                turn.note("user removed", about: own, "The user “\(own)” is gone, with all credentials.")
            }
        },
        RecordKind("credential") { _, limit, db in
            try db.all(Credential.self, order: "created_at DESC, rowid DESC", limit: limit).map(shown)
        } find: { _, id, db in
            try key(id, "credential").flatMap { tenant, own in
                try Credential.find(own, of: tenant, in: db).map(shown)
            }
        } act: { platform, _, id, _ in
            guard let (tenant, own) = key(id, "credential") else { throw RecordRefusal.unknown(id) }
            try platform.world.change { turn in
                try turn.db.delete(Credential.self, where: "tenant_id = \(tenant) AND id = \(own)")
                turn.note("credential removed", about: own, "The credential “\(own)” is gone.")
            }
        },
    ]

    /// Ids are unique in a tenant and a kind alone: `user:TENANT:ID`.
    private static func id(_ kind: String, _ tenant: String, _ own: String) -> String {
        "\(kind):\(tenant):\(own)"
    }

    private static func key(_ id: String, _ kind: String) -> (tenant: String, own: String)? {
        let parts = id.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[0] == kind else { return nil }
        return (parts[1], parts[2])
    }

    private static func shown(_ user: User, in db: Connection) throws -> ConsoleRecord {
        let credentials = try Credential.all(of: user.id, user.tenantID, withMFA: true, in: db)
        return ConsoleRecord(
            id: id("user", user.tenantID, user.id), title: user.displayName, user: user.id, state: "active",
            createdAt: user.createdAt,
            facts: .known([
                ("tenant", user.tenantID), ("id", user.id), ("name", user.name), ("icon", user.icon),
                ("credentials", String(credentials.count)),
            ]), actions: [.init("remove", "Remove", isFinal: true)])
    }

    private static func shown(_ credential: Credential) -> ConsoleRecord {
        ConsoleRecord(
            id: id("credential", credential.tenantID, credential.id),
            title: credential.name ?? credential.id, user: credential.userID,
            state: credential.isMFA ? "second factor" : "passkey", createdAt: credential.createdAt,
            facts: .known([
                ("tenant", credential.tenantID), ("id", credential.id),
                ("attestation", credential.attestationType), ("AAGUID", credential.aaguid),
                ("transports", credential.transports.joined(separator: ", ")),
                ("backed up", credential.isBackedUp ? "yes" : "no"),
                ("last used", credential.lastUsedAt.map { Timestamp.text($0) }),
            ]), actions: [.init("remove", "Remove", isFinal: true)])
    }
}

extension [ConsoleRecord.Fact] {
    fileprivate static func known(_ all: [(name: String, value: String?)]) -> Self {
        ConsoleRecord.Fact.known(all)
    }
}
