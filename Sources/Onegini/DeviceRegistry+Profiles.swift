import Essentials
import OpenID
import PlatformKit
import SQLite

extension DeviceRegistry {
    /// Registers a user on a device, or renews the registration: then the profile's tokens end, and its enrollment stays.
    ///
    /// - Parameter id: as the device chose it; nil for the server to pick one.
    /// - Throws: ``ProfileError``.
    func register(
        _ subject: String, as id: String?, on device: Device, in db: Connection
    ) throws -> Profile {
        if let id, !Profile.isWellFormed(id) { throw ProfileError.profileMalformed(id) }
        if let id, var known = try devices.profile(id, on: device.clientID, in: db) {
            guard known.subject == subject else {
                throw ProfileError.profileTaken(id, by: known.subject, wanted: subject)
            }
            try server.grants.end(
                .init(clientID: device.clientID, subject: subject, context: id), .superseded, at: now, in: db)
            known.failures = 0
            try devices.update(known, in: db)
            return known
        }
        let taken = Set(try devices.profiles(on: device.clientID, in: db).map(\.id))
        guard taken.count < Profile.maxPerDevice else {
            throw ProfileError.tooManyProfiles(Profile.maxPerDevice)
        }
        let profile = Profile(
            clientID: device.clientID, id: id ?? freeID(besides: taken), subject: subject, createdAt: now)
        try devices.insert(profile, in: db)
        try devices.forget(.profile, of: device.clientID, profile: profile.id, at: now, in: db)
        try devices.forget(.enrollment, of: device.clientID, profile: profile.id, at: now, in: db)
        try devices.forgetRemovals(on: device.clientID, profile: profile.id, in: db)
        return profile
    }

    /// The user of a device logged in just now.
    func noteLogin(_ profile: Profile, on device: Device, in db: Connection) throws {
        var (profile, device) = (profile, device)
        device.lastLoginAt = now
        try devices.update(device, in: db)
        guard profile.failures > 0 else { return }
        profile.failures = 0
        try devices.update(profile, in: db)
    }

    private func freeID(besides taken: Set<String>) -> String {
        var id = Profile.newID(services.entropy)
        while taken.contains(id) { id = Profile.newID(services.entropy) }
        return id
    }
}
