import Crypto
import Essentials
import PlatformKit
package import SQLite

extension NextAuth {
    package static func load(_ fixtures: NextAuthFixtures, into db: Connection) throws {
        if let settings = fixtures.settings {
            try settings.check()
            try Settings.kept.set(settings, in: db)
        }
        try Server.globalAttributes.set(fixtures.attributes, in: db)
        var rules = FixtureRules()
        try lists.load(fixtures, &rules, into: db)
        if let last = fixtures.lastAccountID {
            try FixtureRules.require(0...1_000_000_000, last, at: ["last_account_id"])
            try Account.spendIDs(upTo: last, in: db)
        }
    }

    package static func export(from db: Connection) throws -> NextAuthFixtures {
        var fixtures = NextAuthFixtures()
        fixtures.settings = try Settings.kept.value(in: db)
        fixtures.attributes = try Server.globalAttributes.value(in: db)
        try lists.export(into: &fixtures, from: db)
        fixtures.lastAccountID = try Account.lastID(in: db)
        return fixtures
    }

    /// In an order in which an entry refers to what stands above it.
    private static let lists: [RecordList<NextAuthFixtures, FixtureRules>] =
        [
            RecordList("servers", \.servers) { rules, server, path in
                try rules.add(server.id, to: "server", at: path + ["id"])
                try server.check(at: path)
            },
            RecordList("users", \.users) { rules, user, path in
                guard User.isID(user.id) else {
                    throw FixtureProblem(
                        at: path + ["id"], "expected 1 to \(User.idLimit) characters, found \(user.id.count)")
                }
                try rules.require(user.server, "server", at: path + ["server"])
                try rules.add("\(user.server) \(user.id)", to: "user", at: path + ["id"])
                if let role = user.role { rules.note(role, as: "role") }
            },
            RecordList("api_keys", \.apiKeys) { rules, key, path in
                try rules.add(key.key, to: "key", at: path + ["key"])
                rules.note(key.role, as: "role")
            },
            RecordList("grants", \.grants) { rules, grant, path in
                try rules.require(grant.role, "role", at: path + ["role"])
                try rules.add("\(grant.role) \(grant.server ?? "")", to: "grant", at: path + ["role"])
                if let server = grant.server { try rules.require(server, "server", at: path + ["server"]) }
            },
            RecordList("instances", \.instances) { rules, instance, path in
                try rules.add(instance.id, to: "instance", at: path + ["id"])
                try rules.add(instance.tokenDigest, to: "token", at: path + ["token_digest"])
                try instance.check(at: path)
            },
            RecordList("accounts", \.accounts) { rules, account, path in
                try rules.add(String(account.id), to: "account", at: path + ["id"])
                try rules.require(server: account.server, instance: account.instance, at: path)
                if let user = account.user {
                    try rules.require("\(account.server) \(user)", "user", at: path + ["user"])
                }
                try FixtureRules.require(1...1_000_000_000, account.id, at: path + ["id"])
                try FixtureRules.requireKey(account.publicKey, at: path + ["public_key"])
            },
        ] + running

    /// What runs.
    private static let running: [RecordList<NextAuthFixtures, FixtureRules>] = [
        RecordList("web_sessions", \.webSessions) { rules, session, path in
            try rules.require(server: session.server, at: path)
            try rules.add("\(session.server) \(session.hsid)", to: "web session", at: path + ["hsid"])
        },
        RecordList("transactions", \.transactions) { rules, transaction, path in
            try rules.require(server: transaction.server, at: path)
            try rules.add(transaction.id, to: "transaction", at: path + ["id"])
        },
        RecordList("codes", \.codes) { rules, code, path in
            try rules.require(server: code.server, at: path)
            try rules.add(code.ticket, to: "code", at: path + ["ticket"])
        },
        RecordList("flows", \.flows) { rules, flow, path in
            try rules.require(server: flow.server, instance: flow.instance, at: path)
            try rules.add(flow.id, to: "flow", at: path + ["id"])
        },
        RecordList("device_sessions", \.deviceSessions) { rules, session, path in
            try rules.require(server: session.server, at: path)
            try rules.add(session.id, to: "device session", at: path + ["id"])
        },
        RecordList("events", \.events) { rules, event, path in
            try rules.require(instance: event.instance, at: path)
            try rules.add("\(event.instance) \(event.number)", to: "event", at: path + ["number"])
        },
        RecordList("messages", \.messages) { rules, message, path in
            try rules.require(server: message.server, instance: message.instance, at: path)
            try rules.add(message.id, to: "message", at: path + ["id"])
        },
    ]
}

extension FixtureRules {
    fileprivate func require(server: String? = nil, instance: String? = nil, at path: [String]) throws {
        if let server { try require(server, "server", at: path + ["server"]) }
        if let instance { try require(instance, "instance", at: path + ["instance"]) }
    }

    fileprivate static func requireBytes(_ text: String, _ count: Int, at path: [String]) throws {
        guard Base64URL.decode(text)?.count == count else {
            throw FixtureProblem(
                at: path, "expected base64url of \(count) bytes, found “\(text.prefix(60))”")
        }
    }

    fileprivate static func requireKey(_ text: String, at path: [String]) throws {
        guard DeviceKey.publicKey(text) != nil else {
            throw FixtureProblem(
                at: path,
                "expected the SPKI of a public key of P-256 in base64url, found “\(text.prefix(60))”")
        }
    }
}

extension Settings {
    fileprivate func check() throws {
        for (name, value, range) in [
            ("pin_tries", pinTries, 1...1000), ("flow_seconds", flowSeconds, 1...86_400),
            ("code_seconds", codeSeconds, 1...31_536_000),
            ("message_seconds", messageSeconds, 1...31_536_000),
        ] { try FixtureRules.require(range, value, at: ["settings", name]) }
    }
}

extension Server {
    fileprivate func check(at path: [String]) throws {
        guard Base64.decode(id) != nil, !id.contains("/"), !id.contains("+") else {
            throw FixtureProblem(
                at: path + ["id"], "expected Base64 with neither / nor +, found “\(id.prefix(60))”")
        }
        guard let publicKey = Self.publicKey(of: key) else {
            throw FixtureProblem(at: path + ["key"], "expected a private key of P-256 in PEM")
        }
        guard self.publicKey == publicKey else {
            throw FixtureProblem(at: path + ["public_key"], "it is not the one of the key; leave it out")
        }
        try FixtureRules.requireBytes(secret, 32, at: path + ["secret"])
        for (name, value, range) in [
            ("ping_time", pingTime, 0...31_536_000), ("pin_timeout", pinTimeout, -1...525_600),
            ("pin_trans_timeout", pinTransTimeout, -1...525_600),
        ] { try FixtureRules.require(range, value, at: path + [name]) }
    }
}

extension Instance {
    fileprivate func check(at path: [String]) throws {
        try FixtureRules.requireBytes(id, 16, at: path + ["id"])
        if let key = factor.pinKey {
            try FixtureRules.requireBytes(key, 32, at: path + ["second_factor", "pin_key"])
        }
        if let key = factor.biometricKey {
            try FixtureRules.requireKey(key, at: path + ["second_factor", "biometric_key"])
        }
    }
}
