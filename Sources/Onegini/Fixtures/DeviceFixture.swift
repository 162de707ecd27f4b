import Crypto
import Essentials
import OpenID
import PlatformKit
import SQLite

/// A device with everything on it. What stands inside need not say where it is.
struct DeviceFixture: Codable, Sendable {
    let device: Device
    /// For a device whose client does not stand in `oauth.clients`: it is made from the application's settings.
    var clientSecret: String?
    var profiles: [ProfileFixture]?
    /// Profiles that were removed on the server and of which the device was not told yet.
    var removedProfiles: [String]?

    enum CodingKeys: String, CodingKey {
        case clientSecret = "client_secret"
        case profiles
        case removedProfiles = "removed_profiles"
    }

    init(_ device: Device, in db: Connection) throws {
        self.device = device
        profiles = try db.profiles(on: device.clientID).map { try ProfileFixture($0, in: db) }
        removedProfiles = try db.removedProfiles(on: device.clientID).map(\.id).listed
    }

    init(from decoder: any Decoder) throws {
        device = try Device(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        clientSecret = try members.decodeIfPresent(String.self, forKey: .clientSecret)
        profiles = try Place.$clientID.withValue(device.clientID) {
            try members.decodeIfPresent([ProfileFixture].self, forKey: .profiles)
        }
        removedProfiles = try members.decodeIfPresent([String].self, forKey: .removedProfiles)
    }

    func encode(to encoder: any Encoder) throws {
        try device.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(clientSecret, forKey: .clientSecret)
        try members.encodeIfPresent(profiles, forKey: .profiles)
        try members.encodeIfPresent(removedProfiles, forKey: .removedProfiles)
    }

    /// - Parameter clients: ids of the authorization server's clients.
    func load(
        _ rules: inout FixtureRules, clients: Set<String>, at path: [String], into db: Connection
    ) throws {
        try rules.add(device.clientID, to: "device", at: path + ["client_id"])
        try rules.require(device.application, "application", at: path + ["application"])
        guard clients.contains(device.clientID) else {
            throw FixtureProblem(
                at: path + ["client_id"],
                "there is no client “\(device.clientID)”; give the device a client_secret, or oauth the client"
            )
        }
        try db.insert(device)
        for (index, profile) in (profiles ?? []).enumerated() {
            try profile.load(&rules, of: device, at: path + ["profiles", String(index)], into: db)
        }
        for id in removedProfiles ?? [] {
            try db.save(RemovedProfile(clientID: device.clientID, id: id))
        }
    }

    /// The client of the device; nil without a secret.
    func client(of application: ApplicationSettings) throws -> ClientFixture? {
        guard let clientSecret else { return nil }
        let metadata = try JSONEncoder().encode(application.clientMetadata(version: device.version))
        var members = try JSONValue(parsing: [UInt8](metadata)).object ?? [:]
        members["client_id"] = .string(device.clientID)
        members["client_secret"] = .string(clientSecret)
        members["kind"] = .string(DeviceRegistry.clientKind)
        var client = try JSONDecoder().decode(
            ClientFixture.self, from: Data(JSONValue.object(members).bytes))
        client.createdAt = device.createdAt
        return client
    }
}

/// One user of a device.
struct ProfileFixture: Codable, Sendable {
    let profile: Profile
    /// For the convenience mode; an exported profile has salt and digest instead.
    var pin: String?
    var enrollment: Enrollment?
    var pendingEnrollment: PendingEnrollment?

    enum CodingKeys: String, CodingKey {
        case pin, enrollment
        case pendingEnrollment = "pending_enrollment"
    }

    init(_ profile: Profile, in db: Connection) throws {
        self.profile = profile
        enrollment = try db.enrollment(of: profile.id, on: profile.clientID)
        pendingEnrollment = try db.first(
            PendingEnrollment.self,
            where: "client_id = \(profile.clientID) AND profile_id = \(profile.id)")
    }

    init(from decoder: any Decoder) throws {
        let profile = try Profile(from: decoder)
        self.profile = profile
        let members = try decoder.container(keyedBy: CodingKeys.self)
        pin = try members.decodeIfPresent(String.self, forKey: .pin)
        (enrollment, pendingEnrollment) = try Place.$profile.withValue(profile) {
            (
                try members.decodeIfPresent(Enrollment.self, forKey: .enrollment),
                try members.decodeIfPresent(PendingEnrollment.self, forKey: .pendingEnrollment)
            )
        }
    }

    func encode(to encoder: any Encoder) throws {
        try profile.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(pin, forKey: .pin)
        try members.encodeIfPresent(enrollment, forKey: .enrollment)
        try members.encodeIfPresent(pendingEnrollment, forKey: .pendingEnrollment)
    }

    fileprivate func load(
        _ rules: inout FixtureRules, of device: Device, at path: [String], into db: Connection
    ) throws {
        try rules.check(profile, on: device, at: path)
        var profile = profile
        if let pin {
            let salt = Digest.sha256(Array("\(device.clientID):\(profile.id)".utf8)).prefix(16)
            try profile.setPIN(pin, salt: Array(salt))
        }
        try db.insert(profile)
        if let enrollment {
            try FixtureRules.check(enrollment, of: profile, at: path + ["enrollment"])
            try db.insert(enrollment)
        }
        if let pendingEnrollment {
            try rules.check(pendingEnrollment, of: profile, at: path + ["pending_enrollment"])
            try db.insert(pendingEnrollment)
        }
    }
}
