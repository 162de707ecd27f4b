import Crypto
import Essentials
import SQLite

extension DeviceFixture {
    init(_ device: Device, in db: Connection) throws {
        clientID = device.clientID
        application = device.application
        platform = .init(rawValue: device.platform) ?? .android
        version = device.version
        name = device.name
        model = device.model
        osVersion = device.osVersion
        createdAt = device.createdAt
        lastLoginAt = device.lastLoginAt
        profiles = try DeviceStore().profiles(on: device.clientID, in: db)
            .map { try ProfileFixture($0, in: db) }
        let removed = try DeviceStore().unreportedProfiles(on: device.clientID, in: db)
        removedProfiles = removed.isEmpty ? nil : removed
    }
}

extension ProfileFixture {
    fileprivate init(_ profile: Profile, in db: Connection) throws {
        id = profile.id
        subject = profile.subject
        failures = profile.failures
        pinSalt = profile.pinSalt.map(Hex.encode)
        pinDigest = profile.pinDigest.map(Hex.encode)
        createdAt = profile.createdAt
        let store = EnrollmentStore()
        enrollment = try store.find(profile.id, on: profile.clientID, in: db).map(EnrollmentFixture.init)
        pendingEnrollment = try store.pending(of: profile.id, on: profile.clientID, in: db)
            .map(PendingEnrollmentFixture.init)
    }
}

extension EnrollmentFixture {
    fileprivate init(_ enrollment: Enrollment) throws {
        certificate = enrollment.certificate.split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
        pushToken = enrollment.pushToken
        serverKey = try enrollment.serverKey.map { try JSONText.decode(ServerKeyFixture.self, $0) }
        enrolledAt = enrollment.enrolledAt
    }
}

extension PendingEnrollmentFixture {
    fileprivate init(_ pending: PendingEnrollment) throws {
        id = pending.id
        certificate = pending.certificate.map {
            $0.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
        serverKey = try pending.serverKey.map { try JSONText.decode(ServerKeyFixture.self, $0) }
        expiresAt = pending.expiresAt
    }
}

extension TombstoneFixture {
    init(_ stone: Tombstone) {
        (kind, clientID, profileID) = (stone.kind, stone.clientID, stone.profileID)
        (reason, removedAt) = (stone.reason, stone.at)
    }
}
