import Essentials
package import PlatformKit
package import SQLite

/// Simulated phones: each belongs to a world and, mostly, to a person, and has the apps of platforms, which speak to these over HTTP
/// as a vendor's SDK does, with keys and arithmetic of their own.
///
/// It is a section of the fixtures and tables of each world, so that snapshots and exports hold the phones, and no platform with
/// addresses. What phones do is done by ``PhoneCenter``. Their apps are in ``PhoneCenter/apps``.
///
/// Not emulated: reading a QR code from another picture than this program's own.
package struct Phones: Section {
    /// The section `phones` of a fixture file.
    package struct Fixtures: Codable, Sendable {
        var devices: [Phone]?
        /// What the apps have kept.
        var apps: [InstalledApp]?
        /// What they will do later.
        var plans: [PhonePlan]?

        package init() {}
    }

    package static let name = "phones"
    package static let title = "Phones"
    package static let migrations: [SQL] =
        Phone.migrations + InstalledApp.migrations + PhonePlan.migrations
        + InstalledApp.accountMigrations + PhonePlan.accountMigrations + Phone.sdkMigrations

    package static let records: [any Record.Type] = [
        Phone.self, InstalledApp.self, PhonePlan.self,
    ]

    /// Phones of a world.
    package static let limit = 100

    package let world: World

    package init(_ world: World) { self.world = world }
}

extension Phones.Fixtures: ListedFixtures {
    package static let lists: [RecordList<Phones.Fixtures, FixtureRules>] = [
        RecordList("devices", \.devices) { rules, phone, path in
            guard WorldName.isOne(phone.name) else {
                throw FixtureProblem(at: path + ["name"], "expected \(Phone.nameRule)")
            }
            try rules.add(phone.name, to: "phone", at: path + ["name"])
            try FixtureRules.require(Phone.clockSkews, phone.clockSkew, at: path + ["clock_skew"])
            for scope in (phone.policies ?? [:]).keys.sorted() {
                guard let mistake = Phone.mistake(inScope: scope) else { continue }
                throw FixtureProblem(at: path + ["policies", scope], mistake)
            }
            for (platform, name) in (phone.sdks ?? [:]).sorted(by: { $0.key < $1.key }) {
                guard let mistake = Phone.mistake(inSDK: name, of: platform) else { continue }
                throw FixtureProblem(at: path + ["sdks", platform], mistake)
            }
        },
        RecordList("apps", \.apps) { rules, app, path in
            try rules.require(app.phone, "phone", at: path + ["phone"])
            guard let type = PhoneCenter.apps.first(where: { $0.platform == app.platform }) else {
                throw FixtureProblem(
                    at: path + ["platform"], "phones have no app for “\(app.platform.prefix(60))”")
            }
            guard type.isKept(app.state) else {
                throw FixtureProblem(
                    at: path + ["state"], "this is not a saved state of the app for \(app.platform)")
            }
            guard app.account.isEmpty || WorldName.isOne(app.account) else {
                throw FixtureProblem(at: path + ["account"], "expected \(Phone.nameRule), or nothing")
            }
        },
        RecordList("plans", \.plans) { rules, plan, path in
            try rules.require(plan.phone, "phone", at: path + ["phone"])
        },
    ]
}

extension Phones {
    /// In the order in which they were made.
    package func all() throws -> [Phone] { try world.database.read { try $0.all(Phone.self) } }

    package func count() throws -> Int {
        try world.database.read { try $0.count(Phone.self, where: "TRUE") }
    }

    /// - Throws: ``PhoneRefusal``.
    package func phone(_ name: String) throws -> Phone {
        guard let phone = try world.database.read({ try $0.first(Phone.self, where: "name = \(name)") })
        else {
            throw PhoneRefusal.unknown(name)
        }
        return phone
    }

    /// - Throws: ``PhoneRefusal``.
    package func add(_ phone: Phone) throws {
        guard WorldName.isOne(phone.name) else { throw PhoneRefusal.nameMalformed(phone.name) }
        try world.change { turn in
            guard try turn.first(Phone.self, where: "name = \(phone.name)") == nil else {
                throw PhoneRefusal.nameTaken(phone.name)
            }
            guard try turn.db.count(Phone.self, where: "TRUE") < Self.limit else {
                throw PhoneRefusal.tooMany(limit: Self.limit)
            }
            try turn.insert(phone)
            turn.note("phone made", about: phone.owner, "There is a phone “\(phone.name)” now.")
        }
    }

    /// - Returns: the phone as it is then.
    package func change(_ name: String, _ change: (inout Phone) throws -> Void) throws -> Phone {
        try world.change { turn in
            guard var phone = try turn.first(Phone.self, where: "name = \(name)") else {
                throw PhoneRefusal.unknown(name)
            }
            let before = phone
            try change(&phone)
            try turn.update(phone)
            if (phone.policy, phone.policies) != (before.policy, before.policies) {
                try turn.db.delete(PhonePlan.self, where: "phone = \(name) AND is_by_policy = 1")
            }
            turn.note(
                "phone changed", about: phone.owner,
                "The phone “\(name)” is \(phone.network.rawValue); its policy is “\(phone.policy.rawValue)”\(phone.policiesInWords)."
            )
            return phone
        }
    }

    /// With its apps; the platforms are not told.
    package func delete(_ name: String) throws {
        try world.change { turn in
            guard let phone = try turn.take(Phone.self, where: "name = \(name)") else {
                throw PhoneRefusal.unknown(name)
            }
            try turn.db.delete(InstalledApp.self, where: "phone = \(name)")
            try turn.db.delete(PhonePlan.self, where: "phone = \(name)")
            try AuthenticatorStore.delete(ofPhone: name, in: turn.db)
            turn.note(
                "phone deleted", about: phone.owner, "The phone “\(name)” was deleted with its keys.")
        }
    }

    /// What the apps of a phone have kept.
    func installed(on phone: String) throws -> [InstalledApp] {
        try world.database.read { try $0.all(InstalledApp.self, where: "phone = \(phone)") }
    }

    /// Grows with everything that an app of the phone keeps anew.
    func revision(of phone: String) throws -> Int {
        try world.database.read {
            try $0.value(
                Int.self, "SELECT CAST(total(revision) AS INTEGER) FROM phones_app WHERE phone = \(phone)")
                ?? 0
        }
    }

    /// Writes down what the apps keep, unless somebody put them back to another state meanwhile.
    func keep(_ apps: [InstalledApp]) throws {
        try world.change { turn in
            for var app in apps {
                let key: SQL =
                    "phone = \(app.phone) AND platform = \(app.platform) AND account = \(app.account)"
                let before = try turn.first(InstalledApp.self, where: key)
                guard try turn.first(Phone.self, where: "name = \(app.phone)") != nil,
                    before?.revision ?? 0 == app.revision
                else {
                    turn.note(
                        "phone put back", about: app.phone,
                        "The phone “\(app.phone)” was put back or deleted while it did something; what it learned is lost."
                    )
                    continue
                }
                app.revision.increment()
                try turn.save(app)
                turn.ring(about: [Phone.topic(app.phone)])
            }
        }
    }
}
