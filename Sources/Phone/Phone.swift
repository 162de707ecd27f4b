import Essentials
package import SQLite

/// A phone.
package struct Phone: Record, Equatable {
    package static let table = Table("phones_phone", key: "name", signed: ["clock_skew"])

    package enum Model: String, Sendable, Codable, CaseIterable { case ios, android }

    package enum Network: String, Sendable, Codable, CaseIterable {
        case online, offline
        /// Whatever it does begins two seconds late.
        case slow
    }

    /// 1 to 40 of a-z, 0-9 and `-`.
    package let name: String
    /// Id of the user of the platforms whose it is; nil for nobody's.
    package var owner: String?
    /// Where the owner gets mail, which is who the owner is at platforms whose users are known by that; nil where that is ``owner``.
    package var mail: String?
    package var model: Model
    package var network: Network
    /// Seconds that its clock is ahead of the world's.
    package var clockSkew: Int
    package var policy: PhonePolicy
    /// What holds instead for one app, or for one kind of its requests: `powerauth`, `powerauth/offline`.
    package var policies: [String: PhonePolicy]?
    /// With which generation of a vendor's SDK an app is built, by platform; that of the app where nothing is said: ``PhoneApp/sdks``.
    package var sdks: [String: String]?
    /// Whether its apps are enrolled for the owner when they are first needed.
    package var enrolsAtFirstUse: Bool
    /// Whether its apps do what is due at a time, such as a ping, also while the world's clock is moved on.
    package var keepsAlive: Bool

    package init(
        _ name: String, owner: String? = nil, mail: String? = nil, model: Model = .ios,
        network: Network = .online, clockSkew: Int = 0, policy: PhonePolicy = .manual,
        policies: [String: PhonePolicy]? = nil, sdks: [String: String]? = nil,
        enrolsAtFirstUse: Bool = false, keepsAlive: Bool = false
    ) {
        (self.name, self.owner, self.mail, self.model, self.network) = (name, owner, mail, model, network)
        (self.clockSkew, self.policy, self.policies) = (clockSkew, policy, policies)
        (self.sdks, self.enrolsAtFirstUse, self.keepsAlive) = (sdks, enrolsAtFirstUse, keepsAlive)
    }

    package enum CodingKeys: String, CodingKey {
        case name, owner, mail, model, network, policy, policies, sdks
        case clockSkew = "clock_skew"
        case enrolsAtFirstUse = "enrols_at_first_use"
        case keepsAlive = "keeps_alive"
    }

    /// What is left out of a fixture is as in a new phone.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(String.self, forKey: .name),
            owner: try values.decodeIfPresent(String.self, forKey: .owner),
            mail: try values.decodeIfPresent(String.self, forKey: .mail),
            model: try values.decodeIfPresent(Model.self, forKey: .model) ?? .ios,
            network: try values.decodeIfPresent(Network.self, forKey: .network) ?? .online,
            clockSkew: try values.decodeIfPresent(Int.self, forKey: .clockSkew) ?? 0,
            policy: try values.decodeIfPresent(PhonePolicy.self, forKey: .policy) ?? .manual,
            policies: try values.decodeIfPresent([String: PhonePolicy].self, forKey: .policies),
            sdks: try values.decodeIfPresent([String: String].self, forKey: .sdks),
            enrolsAtFirstUse: try values.decodeIfPresent(Bool.self, forKey: .enrolsAtFirstUse) ?? false,
            keepsAlive: try values.decodeIfPresent(Bool.self, forKey: .keepsAlive) ?? false)
    }

    static let migrations: [SQL] = [
        """
        CREATE TABLE phones_phone (
            name TEXT PRIMARY KEY,
            owner TEXT,
            mail TEXT,
            model TEXT NOT NULL,
            network TEXT NOT NULL,
            clock_skew INTEGER NOT NULL, -- seconds
            policy TEXT NOT NULL,
            policies TEXT, -- JSON
            enrols_at_first_use INTEGER NOT NULL,
            keeps_alive INTEGER NOT NULL
        ) STRICT
        """
    ]

    /// What came later: generations of SDKs.
    static let sdkMigrations: [SQL] = ["ALTER TABLE phones_phone ADD COLUMN sdks TEXT"]

    static let nameRule = "1 to 40 of the characters a-z, 0-9 and -"
    /// A day each way.
    package static let clockSkews = -86_400...86_400

    /// What a ring about its apps is about.
    static func topic(_ name: String) -> String { "phones." + name }
}

/// What an app on a phone has kept.
package struct InstalledApp: Record, Equatable {
    package static let table = Table("phones_app", key: "phone", "platform", "account")

    let phone: String
    /// Name of the platform that it belongs to.
    let platform: String
    /// Of several accounts that the app has, each with a state of its own; empty for the first.
    let account: String
    /// Counts how often it was kept.
    var revision: Int
    /// As the app writes it.
    var state: JSONValue
    /// When it has something to do by itself, such as a ping, by the world's clock.
    var dueAt: Date?
    /// How often it did such since somebody used the phone.
    var rings = 0

    package enum CodingKeys: String, CodingKey {
        case phone, platform, account, revision, state, rings
        case dueAt = "due_at"
    }

    /// A phone that nobody uses pings so often and no more, or it would keep its world for ever.
    static let ringLimit = 100
    /// Seconds after which what is due is tried again, where the phone came to nothing.
    static let pause = 10.0

    var name: AppName { AppName(platform, account) }

    init(_ phone: String, _ name: AppName, revision: Int, state: JSONValue, dueAt: Date?, rings: Int) {
        (self.phone, platform, account) = (phone, name.platform, name.account)
        (self.revision, self.state) = (revision, state)
        // Not before its time: a row has milliseconds.
        self.dueAt = dueAt.map {
            Date(timeIntervalSince1970: ($0.timeIntervalSince1970 * 1000).rounded(.up) / 1000)
        }
        self.rings = rings
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(String.self, forKey: .phone),
            AppName(
                try values.decode(String.self, forKey: .platform),
                try values.decodeIfPresent(String.self, forKey: .account) ?? ""),
            revision: try values.decode(Int.self, forKey: .revision),
            state: try values.decode(JSONValue.self, forKey: .state),
            dueAt: try values.decodeIfPresent(Date.self, forKey: .dueAt),
            rings: try values.decodeIfPresent(Int.self, forKey: .rings) ?? 0)
    }

    /// Whether there is nothing new to be written down.
    func says(_ other: InstalledApp) -> Bool {
        // A time that came from a row may differ by less than rows hold.
        let isDueThen = abs((dueAt ?? .distantPast).timeIntervalSince(other.dueAt ?? .distantPast)) < 0.0005
        return state == other.state && isDueThen && rings == other.rings
    }

    static let migrations: [SQL] = [
        """
        CREATE TABLE phones_app (
            phone TEXT NOT NULL,
            platform TEXT NOT NULL,
            revision INTEGER NOT NULL,
            state TEXT NOT NULL, -- JSON
            due_at INTEGER, -- milliseconds since 1970 UTC
            rings INTEGER NOT NULL,
            PRIMARY KEY (phone, platform)
        ) STRICT
        """
    ]

    /// What came later: several accounts of one app.
    static let accountMigrations: [SQL] = [
        "ALTER TABLE phones_app RENAME TO phones_app_before",
        """
        CREATE TABLE phones_app (
            phone TEXT NOT NULL,
            platform TEXT NOT NULL,
            account TEXT NOT NULL, -- empty for the first
            revision INTEGER NOT NULL,
            state TEXT NOT NULL, -- JSON
            due_at INTEGER, -- milliseconds since 1970 UTC
            rings INTEGER NOT NULL,
            PRIMARY KEY (phone, platform, account)
        ) STRICT
        """,
        """
        INSERT INTO phones_app SELECT phone, platform, '', revision, state, due_at, rings FROM phones_app_before
        """,
        "DROP TABLE phones_app_before",
    ]
}
