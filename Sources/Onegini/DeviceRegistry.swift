import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// Devices, their profiles and enrollments, with everything in the authorization server that hangs on them.
///
/// Everything here runs inside a transaction of the caller's.
struct DeviceRegistry: Sendable {
    /// The rows of the authorization server, seen without the rules that this registry itself puts into it.
    let server: AuthorizationServer
    let devices: DeviceStore
    let enrollments: EnrollmentStore
    let applications: ApplicationStore
    let events: EventStore
    let services: Services

    /// What sort of client a device is.
    static let clientKind = "mobile"

    init(_ world: World) {
        server = AuthorizationServer(Onegini.profile, world: world)
        devices = DeviceStore()
        enrollments = EnrollmentStore()
        applications = ApplicationStore()
        events = EventStore(database: world.database)
        services = world.services
    }

    var now: Date { services.clock.now() }
}

// MARK: - Leaving

extension DeviceRegistry {
    /// Disconnects a user from a device: the user's profiles go, with tokens, enrollment and push token. The client's
    /// credentials and the profiles of others stay.
    ///
    /// - Parameter reason: a sentence for the developer, such as «The administrator disconnected ada.».
    /// - Returns: whether there was a profile.
    @discardableResult
    func disconnect(
        user subject: String, from clientID: String, because reason: String, in db: Connection
    ) throws -> Bool {
        let profiles = try devices.profiles(on: clientID, in: db).filter { $0.subject == subject }
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
        try devices.removeProfile(profile.id, on: profile.clientID, in: db)
        try devices.bury(
            Tombstone(.profile, clientID: profile.clientID, profileID: profile.id, reason: reason, at: now),
            in: db)
        if !isKnown { try devices.noteRemoval(of: profile.id, on: profile.clientID, in: db) }
    }

    /// Takes a device away: all profiles, tokens and enrollments, and the client with its credentials.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func removeDevice(_ clientID: String, because reason: String, in db: Connection) throws -> Bool {
        guard try devices.device(clientID, in: db) != nil else { return false }
        for profile in try devices.profiles(on: clientID, in: db) {
            try remove(profile, .clientRemoved, because: reason, in: db)
        }
        try server.clients.remove(clientID, at: now, in: db)
        try devices.removeDevice(clientID, in: db)
        try devices.bury(
            Tombstone(.device, clientID: clientID, profileID: nil, reason: reason, at: now), in: db)
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
        let enrolled = try enrollments.all(of: subject, in: db).filter { $0.clientID == clientID }
        for enrollment in enrolled {
            try enrollments.remove(enrollment.profileID, on: clientID, in: db)
            try devices.forget(.enrollment, of: clientID, profile: enrollment.profileID, at: now, in: db)
            try devices.bury(
                Tombstone(
                    .enrollment, clientID: clientID, profileID: enrollment.profileID, reason: reason, at: now),
                in: db)
        }
        return !enrolled.isEmpty
    }

    /// Whether the enrollment of a profile was revoked on this side and the device has not heard of it; after this call it has.
    func takeDisenrollment(of profileID: String, on clientID: String, in db: Connection) throws -> Bool {
        try devices.forget(.enrollment, of: clientID, profile: profileID, at: now, in: db)
    }
}
