import Essentials
import OpenID
package import PlatformKit
import SQLite

// What the console changes, as an administrator or a user at the product's own pages would.
extension Onegini: MakesRecords {
    package static let recordMakers = [
        RecordMaker<Onegini>(Holding.client.rawValue) { _ in
            newClient
        } make: {
            try $0.makeClient($1)
        },
        RecordMaker(Holding.user.rawValue) { _ in
            newUser
        } make: {
            try $0.makeUser($1)
        },
    ]

    private static let newClient = NewRecord(
        kind: "client", title: "Create a client",
        inputs: [
            .init("client_id", "Client ID", isRequired: true),
            .init("kind", "Sort", isRequired: true, choices: ["web", "api", "lenient"], preset: "web"),
            .init("client_secret", "Client secret, or none for a public client"),
            .init("redirect_uris", "Redirect URIs, a line each", isLong: true),
            .init("scope", "Scope", preset: "openid profile"),
        ])

    private static let newUser = NewRecord(
        kind: "user", title: "Create a user",
        inputs: [
            .init("sub", "ID (sub)", isRequired: true),
            .init("username", "User name", isRequired: true),
            .init("password", "Password, or none to log in by a click"), .init("name", "Name"),
            .init("email", "Mail address"),
        ])

    private func makeClient(_ inputs: [String: String]) throws -> String {
        let id = inputs["client_id"] ?? ""
        try world.change { turn in
            guard try server.clients.find(id, in: turn.db) == nil else {
                throw RecordRefusal.inputWrong("There is a client “\(id.prefix(120))” already.")
            }
            try server.clients.insert(newClient(id, inputs), in: turn.db)
            turn.note("client created", about: id, "The client “\(id)” was created by the console.")
        }
        return Holding.client.id(id)
    }

    private func makeUser(_ inputs: [String: String]) throws -> String {
        let id = inputs["sub"] ?? ""
        guard try server.user(id) == nil else {
            throw RecordRefusal.inputWrong("There is a user “\(id.prefix(120))” already.")
        }
        _ = try server.changeUser(id, .replace(Self.entry(inputs)))
        return Holding.user.id(id)
    }

    private func newClient(_ id: String, _ inputs: [String: String]) throws -> Client {
        var metadata = ClientMetadata()
        metadata.redirectURIs = try Self.redirectURIs(inputs["redirect_uris"] ?? "")
        metadata.scope = inputs["scope"]
        metadata.clientName = id
        metadata.grantTypes =
            inputs["kind"] == "api" ? [] : [GrantType.authorizationCode, GrantType.refreshToken]
        if inputs["client_secret"] == nil {
            metadata.tokenEndpointAuthMethod = ClientAuthenticationMethod.none
        }
        return Client(
            id: id, secret: inputs["client_secret"], kind: inputs["kind"] ?? "web", metadata: metadata,
            createdAt: server.now)
    }

    /// Absolute, without a fragment. Source: RFC 6749 §3.1.2.
    private static func redirectURIs(_ text: String) throws -> [String] {
        try text.split(separator: "\n").map { String($0.filter { $0 != " " && $0 != "\r" }) }.filter {
            !$0.isEmpty
        }.map {
            guard $0.wholeMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*:|\/)[^#]+/) != nil else {
                throw RecordRefusal.inputWrong(
                    "The redirect URI “\($0.prefix(200))” must be absolute, or a path of this server, and have no fragment."
                )
            }
            return $0
        }
    }

    static func entry(_ inputs: [String: String]) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for name in ["username", "password"] { members[name] = inputs[name].map { .string($0) } }
        var claims: [String: JSONValue] = [:]
        for name in ["name", "email"] { claims[name] = inputs[name].map { .string($0) } }
        if !claims.isEmpty { members["claims"] = .object(claims) }
        return .object(members)
    }

    /// What the platform writes down as the reason.
    static let why = "Somebody asked for it in the console."

    func perform(_ action: String, onProfile key: [String], in turn: Turn) throws {
        guard var profile = try turn.db.profile(key[1], on: key[0]) else {
            throw RecordRefusal.unknown(key[1])
        }
        if action == "disconnect" {
            return try registry.remove(profile, .userRemoved, because: Self.why, in: turn.db)
        }
        profile.failures = 0
        try turn.update(profile, .failures)
    }

    func revokeEnrolment(_ key: [String], in db: Connection) throws {
        guard let enrolment = try db.enrollment(of: key[1], on: key[0]) else {
            throw RecordRefusal.unknown(key[1])
        }
        try registry.revokeMobileAuthentication(
            of: enrolment.subject, on: key[0], because: Self.why, in: db)
    }

    func change(clientWithID id: String, _ inputs: [String: String], in db: Connection) throws {
        guard var client = try server.clients.find(id, in: db) else { throw RecordRefusal.unknown(id) }
        client.metadata.redirectURIs = try Self.redirectURIs(inputs["redirect_uris"] ?? "")
        client.metadata.scope = inputs["scope"]
        if let secret = inputs["client_secret"] { client.secret = secret }
        try server.clients.update(client, in: db)
    }
}
