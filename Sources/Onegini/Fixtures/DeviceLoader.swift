import Crypto
import Essentials
import PlatformKit
import SQLite

/// Writes devices and what belongs to them, and refuses what the shapes cannot say.
struct DeviceLoader {
    let db: Connection
    /// Identifiers of the applications that are there so far.
    private var applications: Set<String> = []
    private var clientIDs: Set<String> = []
    private let devices = DeviceStore()
    private let enrollments = EnrollmentStore()

    init(db: Connection) { self.db = db }

    /// The time of an entry that says none: 2026-01-01T00:00:00Z.
    static let standardTime = Date(timeIntervalSince1970: 1_767_225_600)

    mutating func load(_ application: ApplicationSettings, at path: [String]) throws {
        guard applications.insert(application.identifier).inserted else {
            throw FixtureProblem(
                at: path + ["identifier"], "the application \"\(application.identifier)\" stands here twice")
        }
        guard PINPolicy.lengths.contains(application.pinPolicy.length) else {
            throw FixtureProblem(
                at: path + ["pin_policy", "pin_length"],
                "expected 5 to 32, found \(application.pinPolicy.length)")
        }
        guard application.maxPINAttempts >= 0 else {
            throw FixtureProblem(
                at: path + ["max_pin_attempts"],
                "expected 0 for no limit, or more, found \(application.maxPINAttempts)")
        }
        try check(lifetimesOf: application, at: path)
        for (index, target) in application.singleSignOnTargets.enumerated() {
            try FixtureRules.requireURL(target, at: path + ["single_sign_on_targets", String(index)])
        }
        try check(application.versions, at: path + ["versions"])
        try ApplicationStore().save(application, in: db)
    }

    private func check(lifetimesOf application: ApplicationSettings, at path: [String]) throws {
        for (name, seconds) in [
            ("authorization_code_lifetime", application.authorizationCodeLifetime),
            ("access_token_lifetime", application.accessTokenLifetime),
            ("refresh_token_lifetime", application.refreshTokenLifetime),
            ("refresh_token_max_lifetime", application.refreshTokenMaxLifetime),
            ("registration_validity", application.registrationValidity ?? 1),
        ] { try FixtureRules.require(FixtureRules.seconds, seconds, at: path + [name]) }
    }

    private func check(_ versions: [ApplicationVersion], at path: [String]) throws {
        for (index, version) in versions.enumerated()
        where versions[..<index].contains(where: {
            ($0.name, $0.platform) == (version.name, version.platform)
        }) {
            throw FixtureProblem(
                at: path + [String(index), "version_name"],
                "the version \(version.name) on \(version.platform.rawValue) stands here twice")
        }
    }

    /// - Parameter clients: ids of the authorization server's clients.
    mutating func load(_ device: DeviceFixture, clients: Set<String>, at path: [String]) throws {
        guard clientIDs.insert(device.clientID).inserted else {
            throw FixtureProblem(
                at: path + ["client_id"], "the device \"\(device.clientID)\" stands here twice")
        }
        guard applications.contains(device.application) else {
            throw FixtureProblem(
                at: path + ["application"], "there is no application \"\(device.application)\"")
        }
        guard clients.contains(device.clientID) else {
            throw FixtureProblem(
                at: path + ["client_id"],
                "there is no client \"\(device.clientID)\"; give the device a client_secret, or oauth the client"
            )
        }
        try devices.insert(
            Device(
                clientID: device.clientID, application: device.application,
                platform: device.platform.rawValue, version: device.version,
                name: device.name ?? "\(device.platform.rawValue)-\(device.clientID.prefix(8))",
                model: device.model, osVersion: device.osVersion,
                createdAt: device.createdAt ?? Self.standardTime, lastLoginAt: device.lastLoginAt), in: db)
        for (index, profile) in (device.profiles ?? []).enumerated() {
            try load(profile, of: device, at: path + ["profiles", String(index)])
        }
        for id in device.removedProfiles ?? [] {
            try devices.noteRemoval(of: id, on: device.clientID, in: db)
        }
    }

    private func load(_ profile: ProfileFixture, of device: DeviceFixture, at path: [String]) throws {
        guard Profile.isWellFormed(profile.id) else {
            throw FixtureProblem(
                at: path + ["profile_id"], "expected 6 of A-Z and 0-9, found \"\(profile.id)\"")
        }
        guard try devices.profile(profile.id, on: device.clientID, in: db) == nil else {
            throw FixtureProblem(
                at: path + ["profile_id"], "the profile \(profile.id) stands here twice")
        }
        try FixtureRules.require(
            FixtureRules.counts, profile.failures ?? 0, at: path + ["failures"])
        var row = Profile(
            clientID: device.clientID, id: profile.id, subject: profile.subject,
            failures: profile.failures ?? 0, pinSalt: try bytes(profile.pinSalt, at: path + ["pin_salt"]),
            pinDigest: try bytes(profile.pinDigest, at: path + ["pin_digest"]),
            createdAt: profile.createdAt ?? Self.standardTime)
        if let pin = profile.pin {
            let salt = Digest.sha256(Array("\(device.clientID):\(profile.id)".utf8)).prefix(16)
            try row.setPIN(pin, salt: Array(salt))
        }
        try devices.insert(row, in: db)
        if let enrollment = profile.enrollment {
            try load(enrollment, of: row, at: path + ["enrollment"])
        }
        if let pending = profile.pendingEnrollment { try load(pending, of: row, at: path) }
    }

    private func bytes(_ hex: String?, at path: [String]) throws -> [UInt8]? {
        guard let hex else { return nil }
        guard let bytes = Hex.decode(hex) else {
            throw FixtureProblem(at: path, "expected pairs of hexadecimal digits, found \"\(hex)\"")
        }
        return bytes
    }

    private func load(_ fixture: EnrollmentFixture, of profile: Profile, at path: [String]) throws {
        let text = fixture.certificate.joined(separator: "\n") + "\n"
        let enrolledAt = fixture.enrolledAt ?? Self.standardTime
        do {
            // A certificate that expires later was good when it was enrolled.
            _ = try OpenPGPCertificate(text, at: enrolledAt)
        } catch {
            throw FixtureProblem(
                at: path + ["certificate"], "expected an OpenPGP certificate: \(error.explanation)")
        }
        try enrollments.save(
            Enrollment(
                clientID: profile.clientID, profileID: profile.id, subject: profile.subject,
                certificate: text, pushToken: fixture.pushToken,
                serverKey: try fixture.serverKey.map { try JSONText.of($0) }, enrolledAt: enrolledAt), in: db)
    }

    private func load(
        _ fixture: PendingEnrollmentFixture, of profile: Profile, at path: [String]
    ) throws {
        guard try enrollments.pending(fixture.id, in: db) == nil else {
            throw FixtureProblem(
                at: path + ["pending_enrollment", "id"],
                "the enrollment \"\(fixture.id.prefix(60))\" stands here twice")
        }
        try enrollments.save(
            PendingEnrollment(
                id: fixture.id, clientID: profile.clientID, profileID: profile.id,
                certificate: fixture.certificate.map { $0.joined(separator: "\n") + "\n" },
                serverKey: try fixture.serverKey.map { try JSONText.of($0) },
                expiresAt: fixture.expiresAt), in: db)
    }
}
