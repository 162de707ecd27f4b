package import PlatformKit

extension PasskeyAPI {
    /// The section `passkeyapi` of a fixture file.
    package struct Fixtures: ListedFixtures {
        var tenants: [Tenant]?
        var users: [User]?
        var credentials: [Credential]?
        var challenges: [Challenge]?
        var transactions: [SignedTransaction]?
        var auditLog: [AuditEntry]?

        enum CodingKeys: String, CodingKey {
            case tenants, users, credentials, challenges, transactions
            case auditLog = "audit_log"
        }

        package init() {}

        package static let lists: [RecordList<Self, FixtureRules>] = [
            RecordList("tenants", \.tenants) { rules, tenant, path in
                guard UUIDText.isOne(tenant.id) else {
                    throw FixtureProblem(
                        at: path + ["id"], "expected a UUID, found “\(tenant.id.prefix(60))”")
                }
                try rules.add(tenant.id, to: "tenant", at: path + ["id"])
            },
            RecordList("users", \.users) { rules, user, path in
                try rules.require(user.tenantID, "tenant", at: path + ["tenant_id"])
                guard 1...64 ~= user.id.utf8.count else {
                    throw FixtureProblem(at: path + ["id"], "expected 1 to 64 bytes, which a user handle has")
                }
                try rules.add(user.tenantID + " " + user.id, to: "user", at: path + ["id"])
            },
            RecordList("credentials", \.credentials) { rules, credential, path in
                try rules.require(
                    credential.tenantID + " " + credential.userID, "user", at: path + ["user_id"])
                try rules.add(credential.tenantID + " " + credential.id, to: "credential", at: path + ["id"])
            },
            RecordList("challenges", \.challenges) { rules, challenge, path in
                try rules.require(challenge.tenantID, "tenant", at: path + ["tenant_id"])
                try rules.add(challenge.challenge, to: "challenge", at: path + ["challenge"])
            },
            RecordList("transactions", \.transactions) { rules, transaction, path in
                try rules.require(
                    transaction.tenantID + " " + transaction.userID, "user", at: path + ["user_id"])
                try rules.add(
                    transaction.tenantID + " " + transaction.identifier, to: "transaction",
                    at: path + ["identifier"])
            },
            RecordList("audit_log", \.auditLog) { rules, entry, path in
                try rules.require(entry.tenantID, "tenant", at: path + ["tenant_id"])
            },
        ]
    }
}
