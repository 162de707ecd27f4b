import Essentials
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// Applications, devices, profiles, enrollments, and what removed ones left behind.
    static func loadDevices(_ fixtures: OneginiFixtures, into db: Connection) throws {
        try EnrollmentSettings.setting.set(fixtures.enrollment, in: db)
        try ServerKeyFixture.setting.set(fixtures.pgp, in: db)
        var loader = DeviceLoader(db: db)
        for (index, application) in (fixtures.applications ?? []).enumerated() {
            try loader.load(application, at: ["applications", String(index)])
        }
        let clients = Set(try fixtures.oauthWithDevices().clients?.map(\.id) ?? [])
        for (index, device) in (fixtures.devices ?? []).enumerated() {
            try loader.load(device, clients: clients, at: ["devices", String(index)])
        }
        for stone in fixtures.tombstones ?? [] {
            try DeviceStore().insert(
                Tombstone(
                    stone.kind, clientID: stone.clientID, profileID: stone.profileID, reason: stone.reason,
                    at: stone.removedAt), in: db)
        }
        try loadRegistrations(fixtures, into: db)
        try FixtureRules.requireUnique(fixtures.appLinks, "app_links", "digest") { $0.digest }
        for (index, link) in (fixtures.appLinks ?? []).enumerated() {
            try FixtureRules.requireURL(link.target, at: ["app_links", String(index), "target"])
            try db.insert(link)
        }
    }

    /// Those that are under way.
    private static func loadRegistrations(_ fixtures: OneginiFixtures, into db: Connection) throws {
        try FixtureRules.requireUnique(fixtures.registrations, "registrations", "identifier") {
            $0.identifier
        }
        for (index, pending) in (fixtures.registrations ?? []).enumerated() {
            try FixtureRules.require(
                FixtureRules.counts, pending.wrongResponses,
                at: ["registrations", String(index), "wrong_responses"])
            try db.insert(pending)
        }
        try CustomProvider.setting.set(fixtures.customRegistration, in: db)
        try FixtureRules.requireUnique(fixtures.customTransactions, "custom_transactions", "id") { $0.id }
        for waiting in fixtures.customTransactions ?? [] {
            try db.insert(waiting)
        }
    }

    static func exportDevices(to fixtures: inout OneginiFixtures, from db: Connection) throws {
        fixtures.enrollment = try EnrollmentSettings.setting.value(in: db)
        fixtures.pgp = try ServerKeyFixture.setting.value(in: db)
        fixtures.applications = try ApplicationStore().all(in: db)
        fixtures.devices = try DeviceStore().all(in: db).map { try DeviceFixture($0, in: db) }
        fixtures.tombstones = try DeviceStore().tombstones(in: db).map(TombstoneFixture.init)
        fixtures.registrations = try db.all(PendingRegistration.self)
        fixtures.customRegistration = try CustomProvider.setting.value(in: db)
        fixtures.appLinks = try db.all(AppLink.self)
        fixtures.customTransactions = try db.all(CustomTransaction.self)
    }
}

extension OneginiFixtures {
    /// The section of the authorization server, with the clients that devices bring themselves.
    func oauthWithDevices() throws -> OpenIDFixtures {
        var oauth = self.oauth ?? OpenIDFixtures()
        let known = Set(oauth.clients?.map(\.id) ?? [])
        let own = try (devices ?? []).filter { !known.contains($0.clientID) }.compactMap { device in
            try applications?.first { $0.identifier == device.application }.flatMap {
                try device.client(of: $0)
            }
        }
        if !own.isEmpty { oauth.clients = (oauth.clients ?? []) + own }
        return oauth
    }
}

extension DeviceFixture {
    /// The client of the device; nil without a secret.
    fileprivate func client(of application: ApplicationSettings) throws -> ClientFixture? {
        guard let clientSecret else { return nil }
        var members =
            try JSONValue(
                parsing: Array(try JSONText.of(application.clientMetadata(version: version)).utf8)
            ).object ?? [:]
        members["client_id"] = .string(clientID)
        members["client_secret"] = .string(clientSecret)
        members["kind"] = .string(DeviceRegistry.clientKind)
        var client = try JSONText.decode(ClientFixture.self, JSONValue.object(members).text)
        client.createdAt = createdAt ?? DeviceLoader.standardTime
        return client
    }
}
