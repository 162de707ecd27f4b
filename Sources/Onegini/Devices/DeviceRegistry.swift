import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// Devices, their profiles and enrollments, with everything in the authorization server that hangs on them.
///
/// Everything here runs inside a transaction of the caller's.
struct DeviceRegistry: Sendable {
    let world: World

    /// What sort of client a device is.
    static let clientKind = "mobile"

    init(_ world: World) { self.world = world }

    /// The rows of the authorization server, seen without the rules that this registry itself puts into it. Made when it is needed: most
    /// requests ask for no device.
    var server: AuthorizationServer { AuthorizationServer(.onegini, world: world) }
    var services: Services { world.services }
    var now: Date { services.clock.now() }

    /// Whether anything in this world knows the user.
    func knows(_ subject: String, in db: Connection) throws -> Bool {
        if try server.users.find(subject, in: db) != nil { return true }
        return try !db.devices(of: subject).isEmpty
    }
}

// MARK: - Leaving

extension DeviceRegistry {
    /// Disconnects a user from a device: the user's profiles go, with tokens, enrollment and push token. The client's
    /// credentials and the profiles of others stay.
    ///
    /// - Parameter reason: a sentence for the developer, such as “The administrator disconnected ada.”.
    /// - Returns: whether there was a profile.
    @discardableResult
    func disconnect(
        user subject: String, from clientID: String, because reason: String, in db: Connection
    ) throws -> Bool {
        let profiles = try db.profiles(on: clientID).filter { $0.subject == subject }
        for profile in profiles { try remove(profile, .userRemoved, because: reason, in: db) }
        return !profiles.isEmpty
    }

    /// Takes a profile away, with its tokens, enrollment and push token.
    ///
    /// - Parameters:
    ///   - end: what its tokens say from now on.
    ///   - isKnown: whether the device did it itself, and need not be told.
    func remove(
        _ profile: Profile, _ end: TokenEnd.Reason, because reason: String, isKnown: Bool = false,
        in db: Connection
    ) throws {
        try server.grants.end(
            .init(clientID: profile.clientID, subject: profile.subject, context: profile.id), end, at: now,
            in: db)
        try db.delete(profile)
        try recordRemoval(.profile, profile.id, of: profile.clientID, because: reason, in: db)
        if !isKnown { try db.save(RemovedProfile(clientID: profile.clientID, id: profile.id)) }
    }

    /// Takes a device away: all profiles, tokens and enrollments, and the client with its credentials.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func removeDevice(_ clientID: String, because reason: String, in db: Connection) throws -> Bool {
        guard let device = try db.device(clientID) else { return false }
        for profile in try db.profiles(on: clientID) {
            try remove(profile, .clientRemoved, because: reason, in: db)
        }
        try server.clients.remove(clientID, at: now, in: db)
        try db.delete(device)
        try recordRemoval(.device, nil, of: clientID, because: reason, in: db)
        return true
    }

    /// Ends mobile authentication of a user on a device from this side: keys and push token go, the profile stays, and the
    /// device hears once that it was disenrolled.
    ///
    /// - Returns: whether the user was enrolled there.
    @discardableResult
    func revokeMobileAuthentication(
        of subject: String, on clientID: String, because reason: String, in db: Connection
    ) throws -> Bool {
        let enrolled = try db.enrollments(of: subject).filter { $0.clientID == clientID }
        for enrollment in enrolled {
            try db.delete(enrollment)
            try db.forget(.enrollment, of: clientID, profile: enrollment.profileID, at: now)
            try recordRemoval(.enrollment, enrollment.profileID, of: clientID, because: reason, in: db)
        }
        return !enrolled.isEmpty
    }

    /// Whether the enrollment of a profile was revoked on this side and the device has not heard of it; after this call it has.
    func takeDisenrollment(of profileID: String, on clientID: String, in db: Connection) throws -> Bool {
        try db.forget(.enrollment, of: clientID, profile: profileID, at: now)
    }

    /// - Parameter profileID: nil for a device.
    private func recordRemoval(
        _ kind: Tombstone.Kind, _ profileID: String?, of clientID: String, because reason: String,
        in db: Connection
    ) throws {
        try db.tidy(Tombstone.self, at: now)
        try db.insert(
            Tombstone(
                kind: kind, clientID: clientID, profileID: profileID, reason: reason, removedAt: now))
    }
}
