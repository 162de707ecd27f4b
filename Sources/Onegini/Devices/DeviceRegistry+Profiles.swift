import Essentials
import OpenID
import PlatformKit
import SQLite

extension DeviceRegistry {
    /// Registers a user on a device, or renews the registration: then the profile's tokens end, and its enrollment stays.
    ///
    /// - Parameter id: as the device chose it; nil for the server to pick one.
    /// - Throws: ``ProfileRefusal``.
    func register(
        _ subject: String, as id: String?, on device: Device, in db: Connection
    ) throws -> Profile {
        if let id, !Profile.isWellFormed(id) { throw ProfileRefusal.profileMalformed(id) }
        if let id, var known = try db.profile(id, on: device.clientID) {
            guard known.subject == subject else {
                throw ProfileRefusal.profileTaken(id, by: known.subject, wanted: subject)
            }
            try server.grants.end(
                .init(clientID: device.clientID, subject: subject, context: id), .superseded, at: now, in: db)
            known.failures = 0
            try db.update(known)
            return known
        }
        let taken = Set(try db.profiles(on: device.clientID).map(\.id))
        guard taken.count < Profile.maxPerDevice else {
            throw ProfileRefusal.tooManyProfiles(Profile.maxPerDevice)
        }
        let profile = Profile(
            clientID: device.clientID, id: id ?? freeID(besides: taken), subject: subject, createdAt: now)
        try db.insert(profile)
        try db.forget(.profile, of: device.clientID, profile: profile.id, at: now)
        try db.forget(.enrollment, of: device.clientID, profile: profile.id, at: now)
        try db.delete(RemovedProfile(clientID: device.clientID, id: profile.id))
        return profile
    }

    /// The user of a device logged in just now.
    func noteLogin(_ profile: Profile, on device: Device, in db: Connection) throws {
        var (profile, device) = (profile, device)
        device.lastLoginAt = now
        try db.update(device)
        guard profile.failures > 0 else { return }
        profile.failures = 0
        try db.update(profile)
    }

    private func freeID(besides taken: Set<String>) -> String {
        var id = Profile.newID(services.entropy)
        while taken.contains(id) { id = Profile.newID(services.entropy) }
        return id
    }
}
