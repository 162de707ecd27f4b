import Essentials
import OpenID
package import PlatformKit
import SQLite

/// What the console shows of the platform. An id begins with the word of its kind.
enum Holding: String, CaseIterable, Sendable {
    case user, client, device, profile, enrolment, session, consent, authorization

    /// - Parameter key: what names it among its kind.
    func id(_ key: String...) -> String { rawValue + ":" + key.joined(separator: " ") }

    /// Kind and key of an id; nil for what is none.
    static func parse(_ id: String) -> (kind: Holding, key: [String])? {
        let parts = id.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let kind = Holding(rawValue: parts[0]) else { return nil }
        switch kind {
        // Device and profile.
        case .profile, .enrolment:
            return (kind, parts[1].split(separator: " ", omittingEmptySubsequences: false).map(String.init))
        // The ids of users and clients may have a space.
        default: return (kind, [parts[1]])
        }
    }
}

/// Users, clients, devices with their profiles and enrolments, login sessions, consents, and what was granted with its tokens.
extension Onegini: KeepsRecords {
    package static let recordKinds = [
        RecordKind<Onegini>(.user) { platform, limit, db in
            try platform.server.users.all(in: db).suffix(limit).map { try platform.views.user($0, in: db) }
        } find: { platform, key, db in
            try platform.server.users.find(key[0], in: db).map { try platform.views.user($0, in: db) }
        } act: { platform, _, key, inputs in
            _ = try platform.server.changeUser(key[0], .merge(entry(inputs)))
        },
        RecordKind(.client) { platform, limit, db in
            try platform.server.clients.all(in: db).filter { $0.kind != DeviceRegistry.clientKind }
                .suffix(limit).map(platform.views.client)
        } find: { platform, key, db in
            try platform.server.clients.find(key[0], in: db).map(platform.views.client)
        } act: { platform, action, key, inputs in
            try platform.world.change { turn in
                if action == "remove" {
                    _ = try platform.server.clients.remove(key[0], at: turn.now, in: turn.db)
                } else {
                    try platform.change(clientWithID: key[0], inputs, in: turn.db)
                }
            }
        },
        RecordKind(.device) { platform, limit, db in
            try db.all(Device.self).suffix(limit).map { try platform.views.device($0, in: db) }
        } find: { platform, key, db in
            try db.device(key[0]).map { try platform.views.device($0, in: db) }
        } act: { platform, _, key, _ in
            try platform.world.change { turn in
                _ = try platform.registry.removeDevice(key[0], because: why, in: turn.db)
            }
        },
        RecordKind(.profile) { platform, limit, db in
            try db.all(Profile.self).suffix(limit).map { try platform.views.profile($0, in: db) }
        } find: { platform, key, db in
            guard key.count == 2 else { return nil }
            return try db.profile(key[1], on: key[0]).map { try platform.views.profile($0, in: db) }
        } act: { platform, action, key, _ in
            try platform.world.change { try platform.perform(action, onProfile: key, in: $0) }
        },
        RecordKind(.enrolment) { platform, limit, db in
            try db.all(Enrollment.self).suffix(limit).map(platform.views.enrolment)
        } find: { platform, key, db in
            guard key.count == 2 else { return nil }
            return try db.enrollment(of: key[1], on: key[0]).map(platform.views.enrolment)
        } act: { platform, _, key, _ in
            try platform.world.change { try platform.revokeEnrolment(key, in: $0.db) }
        },
        RecordKind(.session) { platform, limit, db in
            try platform.server.sessions.all(in: db).suffix(limit).map(platform.views.session)
        } find: { platform, key, db in
            try platform.server.sessions.find(key[0], in: db).map(platform.views.session)
        } act: { platform, _, key, _ in
            try platform.server.endSession(key[0])
        },
        RecordKind(.consent) { platform, limit, db in
            try platform.server.consents.all(in: db).suffix(limit).map(platform.views.consent)
        } find: { platform, key, db in
            try platform.server.consents.all(where: "id = \(key[0])", in: db).first.map(
                platform.views.consent)
        } act: { platform, _, key, _ in
            try platform.world.change { try platform.server.consents.remove(key[0], in: $0.db) }
        },
        RecordKind(.authorization) { platform, limit, db in
            try platform.server.grants.all(in: db).suffix(limit)
                .map { try platform.views.authorization($0, in: db) }
        } find: { platform, key, db in
            try platform.server.grants.find(key[0], in: db)
                .map { try platform.views.authorization($0, in: db) }
        } act: { platform, _, key, _ in
            try platform.world.change {
                try platform.server.grants.end(.init(grantID: key[0]), .revoked, at: $0.now, in: $0.db)
            }
        },
    ]

    private var views: HoldingViews { HoldingViews(server: server, now: server.now) }
}

extension RecordKind<Onegini> {
    /// Of the records whose ids begin with the word of the holding; the rest of an id is the key, which is never empty.
    fileprivate init(
        _ holding: Holding, newest: @escaping @Sendable (Onegini, Int, Connection) throws -> [ConsoleRecord],
        find: @escaping @Sendable (Onegini, _ key: [String], Connection) throws -> ConsoleRecord?,
        act: @escaping @Sendable (Onegini, _ action: String, _ key: [String], [String: String]) throws -> Void
    ) {
        self.init(holding.rawValue, newest: newest) { platform, id, db in
            guard let (kind, key) = Holding.parse(id), kind == holding else { return nil }
            return try find(platform, key, db)
        } act: { platform, action, id, inputs in
            guard let (_, key) = Holding.parse(id) else { throw RecordRefusal.unknown(id) }
            try act(platform, action, key, inputs)
        }
    }
}

/// What there is, as the console shows it.
struct HoldingViews: Sendable {
    let server: AuthorizationServer
    let now: Date

    func user(_ user: User, in db: Connection) throws -> ConsoleRecord {
        let devices = try db.devices(of: user.subject).map(\.name)
        return ConsoleRecord(
            id: Holding.user.id(user.subject),
            title: user.displayName, user: user.subject, state: "active", createdAt: .ofFixtures,
            facts: [
                .init("User name", user.username),
                .init("Log in", user.password == nil ? "by a click" : "with a password"),
                .init("Devices", devices.isEmpty ? "none" : devices.joined(separator: ", ")),
            ]
                + user.claims.sorted { $0.key < $1.key }.map {
                    .init($0.key, $0.value.string ?? $0.value.text)
                },
            actions: [.init("change", "Change", inputs: Self.inputs(of: user))])
    }

    static func inputs(of user: User) -> [ConsoleRecord.Input] {
        [
            .init("username", "User name", isRequired: true, preset: user.username),
            .init("password", "New password"),
            .init("name", "Name", preset: user.claims["name"]?.string ?? ""),
            .init("email", "Mail address", preset: user.claims["email"]?.string ?? ""),
        ]
    }

    func client(_ client: Client) -> ConsoleRecord {
        ConsoleRecord(
            id: Holding.client.id(client.id), title: client.name,
            user: nil, state: "active", createdAt: client.createdAt,
            facts: [
                .init("Client ID", client.id), .init("Client secret", client.secret ?? "none"),
                .init("Sort", client.kind), .init("Grant types", client.grantTypes.joined(separator: ", ")),
                .init("Scope", client.metadata.scope ?? ""),
                .init("Redirect URIs", client.redirectURIs.joined(separator: "\n")),
            ],
            actions: [
                .init("change", "Change", inputs: Self.inputs(of: client)),
                .init("remove", "Remove", isFinal: true),
            ])
    }

    static func inputs(of client: Client) -> [ConsoleRecord.Input] {
        [
            .init(
                "redirect_uris", "Redirect URIs, a line each",
                preset: client.redirectURIs.joined(separator: "\n"),
                isLong: true),
            .init("scope", "Scope", preset: client.metadata.scope ?? ""),
        ] + (client.secret == nil ? [] : [.init("client_secret", "New client secret")])
    }

    func device(_ device: Device, in db: Connection) throws -> ConsoleRecord {
        let profiles = try db.profiles(on: device.clientID)
        return ConsoleRecord(
            id: Holding.device.id(device.clientID),
            title: device.name,
            user: profiles.count == 1 ? profiles.first?.subject : nil, state: "registered",
            createdAt: device.createdAt,
            facts: [
                .init("Client ID", device.clientID), .init("Application", device.application),
                .init("Version", "\(device.platform.rawValue) \(device.version)"),
                .init("Model", device.model ?? "not told"), .init("System", device.osVersion ?? "not told"),
                .init("Users", profiles.isEmpty ? "none" : profiles.map(\.subject).joined(separator: ", ")),
                .init("Last login", device.lastLoginAt.map { Timestamp.text($0) } ?? "never"),
            ], actions: [.init("remove", "Remove", isFinal: true)])
    }

    func profile(_ profile: Profile, in db: Connection) throws -> ConsoleRecord {
        let device = try db.device(profile.clientID)
        let settings = try device.flatMap {
            try db.first(KeptApplication.self, where: "identifier = \($0.application)")
        }?.settings
        let reset: [ConsoleRecord.Action] =
            profile.failures > 0 ? [.init("reset_counter", "Reset the PIN counter")] : []
        let disconnect = ConsoleRecord.Action("disconnect", "Disconnect", isFinal: true)
        return ConsoleRecord(
            id: Holding.profile.id(profile.clientID, profile.id),
            title: "\(profile.subject) on \(device?.name ?? profile.clientID)", user: profile.subject,
            state: "registered", createdAt: profile.createdAt,
            facts: [
                .init("Profile ID", profile.id), .init("Device", device?.name ?? profile.clientID),
                .init(
                    "Wrong attempts",
                    settings.map { "\(profile.failures) of \($0.maxPINAttempts)" } ?? "\(profile.failures)"),
                .init(
                    "PIN",
                    profile.pinDigest == nil ? "on the device alone" : "known, for the convenience mode"),
            ], actions: reset + [disconnect])
    }

    func enrolment(_ enrolment: Enrollment) -> ConsoleRecord {
        ConsoleRecord(
            id: Holding.enrolment.id(enrolment.clientID, enrolment.profileID),
            title: "Mobile authentication of \(enrolment.subject)",
            user: enrolment.subject,
            state: "enrolled", createdAt: enrolment.enrolledAt,
            facts: [
                .init("Device", enrolment.clientID), .init("Profile ID", enrolment.profileID),
                .init("Push token", enrolment.pushToken ?? "none"),
            ], actions: [.init("revoke", "Revoke", isFinal: true)])
    }

    func session(_ session: BrowserSession) -> ConsoleRecord {
        let isOver = session.expiresAt <= now
        return ConsoleRecord(
            id: Holding.session.id(session.id),
            title: "Login of \(session.subject)", user: session.subject, state: isOver ? "expired" : "active",
            createdAt: session.authenticatedAt,
            facts: [
                .init("Session ID (sid)", session.id), .init("Browser", session.userAgent),
                .init("Address", session.ipAddress), .init("Last used", Timestamp.text(session.lastUsedAt)),
                .init("Expires", Timestamp.text(session.expiresAt)),
                .init("Clients", (session.clients ?? []).map(\.clientID).joined(separator: ", ")),
            ], actions: isOver ? [] : [.init("end", "End", isFinal: true)])
    }

    func consent(_ consent: Consent) -> ConsoleRecord {
        ConsoleRecord(
            id: Holding.consent.id(consent.id),
            title: "\(consent.subject) allows \(consent.clientID)", user: consent.subject, state: "active",
            createdAt: consent.givenAt,
            facts: [
                .init("Client ID", consent.clientID),
                .init("Scope", consent.scope.names.joined(separator: " ")),
            ], actions: [.init("revoke", "Revoke", isFinal: true)])
    }

    /// What was granted once, with the tokens that grew from it.
    func authorization(_ grant: Grant, in db: Connection) throws -> ConsoleRecord {
        let tokens = try server.accessTokens.ofGrant(grant.id, in: db)
        let refresh = try server.refreshTokens.all(where: "grant_id = \(grant.id)", in: db)
        let good = tokens.filter { $0.end == nil && $0.expiresAt > now }
        let client = try db.device(grant.clientID)?.name ?? grant.clientID
        return ConsoleRecord(
            id: Holding.authorization.id(grant.id),
            title: "\(grant.subject ?? client) at \(client)", user: grant.subject,
            state: grant.end == nil ? "active" : "revoked", createdAt: grant.createdAt,
            facts: [
                .init("Client ID", grant.clientID), .init("Grant type", grant.type),
                .init("Scope", grant.scope.names.joined(separator: " ")),
                .init("Access tokens", "\(tokens.count), \(good.count) of them good"),
                .init("Refresh tokens", "\(refresh.count)"),
                .init("Ended", grant.end.map { "It was \($0.reason.words)." } ?? "no"),
            ]
                + (good.map(\.expiresAt).max().map { [.init("Last access token until", Timestamp.text($0))] }
                    ?? []),
            actions: grant.end == nil ? [.init("revoke", "Revoke with its tokens", isFinal: true)] : [])
    }
}
