import Essentials
import OpenID
import PlatformKit
import SQLite

/// PINs of the convenience mode, where they leave the device and the server keeps a verifier.
///
/// Source: the device protocol.
struct ConveniencePINs: Sendable {
    let registry: DeviceRegistry

    init(_ registry: DeviceRegistry) { self.registry = registry }

    private var world: World { registry.world }

    /// - Throws: ``PINRefusal/modeOff(application:)`` for the device of an application that may not send PINs.
    @discardableResult
    func requireMode(of device: Device, in db: Connection) throws -> ApplicationSettings {
        let application = try db.application(of: device)
        guard application.hasConvenienceMode else {
            throw PINRefusal.modeOff(application: application.identifier)
        }
        return application
    }

    /// - Throws: ``PINRefusal/refused(_:)`` for a PIN that the policy of the device's application forbids.
    func check(_ pin: String, on device: Device) throws {
        let policy = try world.database.read { db in try requireMode(of: device, in: db).pinPolicy }
        if let violation = policy.violation(of: pin) { throw PINRefusal.refused(violation) }
    }

    func set(_ pin: String, of user: DeviceUser) throws {
        try check(pin, on: user.device)
        var profile = user.profile
        try profile.setPIN(pin, salt: newSalt())
        try world.change { [profile] turn in try store(profile, turn) }
    }

    /// - Throws: ``PINRefusal``; a wrong present one stays counted.
    func change(_ current: String, to new: String, of user: DeviceUser) throws {
        try check(new, on: user.device)
        let salt = newSalt()
        try world.change { turn in
            var profile = try verify(current, of: user.profile.id, on: user.client.id, turn)
            try profile.setPIN(new, salt: salt)
            try turn.update(profile)
        }
    }

    /// Judges a PIN, in the transaction that goes on with it; a wrong one is counted.
    ///
    /// - Returns: the profile, whose failures are forgotten.
    func verify(_ pin: String, of profileID: String, on clientID: String, _ turn: Turn) throws -> Profile {
        guard var profile = try turn.db.profile(profileID, on: clientID) else {
            throw try registry.refusal(ofMissing: profileID, on: clientID, in: turn.db)
        }
        guard let isRight = try profile.hasPIN(pin) else { throw PINRefusal.notSet(profileID) }
        guard isRight else {
            let finding = "The PIN is not the one that was set."
            throw try registry.failure(of: profile, .login, finding: finding, in: turn.db).kept(in: turn)
        }
        profile.failures = 0
        try turn.update(profile)
        return profile
    }

    /// Keeps the verifier of a profile, with its failures as they are by now.
    private func store(_ changed: Profile, _ turn: Turn) throws {
        guard var profile = try turn.db.profile(changed.id, on: changed.clientID) else {
            throw try registry.refusal(ofMissing: changed.id, on: changed.clientID, in: turn.db)
        }
        (profile.pinSalt, profile.pinDigest) = (changed.pinSalt, changed.pinDigest)
        try turn.update(profile, .pinSalt, .pinDigest)
    }

    private func newSalt() -> [UInt8] { world.services.entropy.bytes(16, "onegini.pin_salt") }
}
