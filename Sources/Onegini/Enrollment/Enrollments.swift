import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// Enrollment for mobile authentication: in three steps or in one, and push behind it.
///
/// Source: the device protocol; push modes: Token Server documentation, topic “push authentication”.
struct Enrollments: Sendable {
    let authentication: DeviceAuthentication

    init(_ authentication: DeviceAuthentication) { self.authentication = authentication }

    private var world: World { authentication.server.world }
    private var services: Services { world.services }

    /// Runs one step of an enrollment; refusals go into the audit log under the user's name.
    func step<Value>(_ request: Request, _ body: (DeviceUser) throws -> Value) throws -> Value {
        let user = try requireEnrollee(request)
        return try AuditLog(world).auditing(
            request, clientID: user.client.id, subject: user.profile.subject,
            application: user.device.application
        ) { try body(user) }
    }

    /// The user behind an enrollment call. A stateless token is an event of its own.
    private func requireEnrollee(_ request: Request) throws -> DeviceUser {
        do {
            return try authentication.requireUser(request)
        } catch let refusal as DeviceCallRefusal {
            try AuditLog(world).note(Event(refusal.enrollmentEvent, request, services))
            throw refusal
        }
    }

    // MARK: - Three steps

    /// The first: an enrollment in the place of one that was begun.
    func begin(for user: DeviceUser, _ request: Request) throws -> PendingEnrollment {
        try world.change { turn in
            let pending = PendingEnrollment(
                id: services.entropy.uuid(for: "onegini.enrollment"), of: user.profile,
                expiresAt: deadline(from: turn.now))
            try checkMayEnroll(user.profile, in: turn.db)
            try turn.save(pending)
            try note(.enrollmentInitialized, user, request, turn)
            return pending
        }
    }

    /// The second: public keys.
    func exchangeKeys(
        _ id: String, _ publicKey: String, of user: DeviceUser, _ request: Request
    ) throws -> JSONValue {
        let certificate = try certificate(publicKey)
        _ = try world.database.read { db in try pending(id, of: user, in: db) }
        let server = try serverKey(for: certificate)
        let lines = try certificate.lines
        try world.change { turn in
            var pending = try pending(id, of: user, in: turn.db)
            pending.certificate = lines
            pending.serverKey = server?.stored
            pending.expiresAt = deadline(from: turn.now)
            try turn.save(pending)
            try note(.enrollmentKeyFetched, user, request, turn)
        }
        return .object(try keys(server?.key, certificate))
    }

    /// The third: from here on the profile is enrolled.
    func acknowledge(_ id: String, by user: DeviceUser, _ request: Request) throws {
        try world.change { turn in
            let pending = try pending(id, of: user, in: turn.db)
            guard let certificate = pending.certificate else { throw EnrollmentRefusal.keysMissing(id) }
            try checkMayEnroll(user.profile, in: turn.db)
            try enroll(user, certificate: certificate, serverKey: pending.serverKey, request, turn)
        }
    }

    /// All three in one.
    ///
    /// - Parameter input: `{"public_key"}` or `{"jwk"}`.
    func enroll(_ user: DeviceUser, _ input: Members, _ request: Request) throws -> JSONValue {
        try world.database.read { db in try checkMayEnroll(user.profile, in: db) }
        let certificate = try certificate(input.deviceKey())
        let server = try serverKey(for: certificate)
        let lines = try certificate.lines
        try world.change { turn in
            try checkMayEnroll(user.profile, in: turn.db)
            try enroll(user, certificate: lines, serverKey: server?.stored, request, turn)
        }
        return .object(try keys(server?.key, certificate).merging(["enrolled": true]) { _, new in new })
    }

    private func keys(
        _ server: OpenPGPServerKey?, _ device: DeviceCertificate
    ) throws -> [String: JSONValue] {
        var members: [String: JSONValue] = ["device_key_fingerprint": .string(try device.fingerprint)]
        members["server_public_key"] = server.map { .string($0.armored) }
        members["server_key_fingerprint"] = server.map { .string($0.fingerprint) }
        return members
    }

    /// When what is begun or sent now will be dropped.
    private func deadline(from now: Date) -> Date { now + Double(PendingEnrollment.lifetimeSeconds) }

    /// An enrollment of the user that was begun and is not over.
    private func pending(_ id: String, of user: DeviceUser, in db: Connection) throws -> PendingEnrollment {
        guard let pending = try db.first(PendingEnrollment.self, where: "id = \(id)"),
            pending.clientID == user.client.id
        else { throw EnrollmentRefusal.unknown(id) }
        try user.require(profile: pending.profileID)
        let now = services.clock.now()
        guard now < pending.expiresAt else {
            throw EnrollmentRefusal.expired(id, seconds: now.seconds(since: pending.expiresAt))
        }
        return pending
    }

    /// Whether the profile may begin an enrollment.
    private func checkMayEnroll(_ profile: Profile, in db: Connection) throws {
        let rules = try EnrollmentSettings.current(in: db)
        guard rules.isEnabled else {
            throw EnrollmentRefusal.disabled(setting: "enrollment.enabled is false")
        }
        let isEnrolled = try db.enrollment(of: profile.id, on: profile.clientID) != nil
        guard rules.allowsReenrollment || !isEnrolled
        else { throw EnrollmentRefusal.alreadyEnrolled(profileID: profile.id) }
    }

    /// The server's key for a new enrollment; its own one where the settings say so, which takes as long as making two RSA keys. Nil for a
    /// device that enrolls with a bare key, to which the server has none.
    private func serverKey(
        for device: DeviceCertificate
    ) throws -> (key: OpenPGPServerKey, stored: ServerKey?)? {
        guard device.isOpenPGP else { return nil }
        let isUnique = try world.database.read { db in try EnrollmentSettings.current(in: db).hasUniqueKeys }
        if isUnique {
            let own = try ServerKey.generate(at: services.clock.now())
            return (try own.key(), own)
        }
        guard let key = try world.serverKey() else {
            throw EnrollmentRefusal.disabled(setting: "the fixtures bring no server keys (member “pgp”)")
        }
        return (key, nil)
    }

    private func certificate(_ text: String) throws -> DeviceCertificate {
        do {
            return try DeviceCertificate(text, at: services.clock.now())
        } catch {
            throw EnrollmentRefusal.keyInvalid(error)
        }
    }

    /// The enrollment counts from here on. The push token of one that it replaces stays.
    private func enroll(
        _ user: DeviceUser, certificate: [String], serverKey: ServerKey?, _ request: Request,
        _ turn: Turn
    ) throws {
        let (clientID, profileID) = (user.client.id, user.profile.id)
        let before = try turn.db.enrollment(of: profileID, on: clientID)
        try turn.save(
            Enrollment(
                of: user.profile, certificate: certificate, pushToken: before?.pushToken,
                serverKey: serverKey, enrolledAt: turn.now))
        try turn.db.removePendingEnrollment(of: user.profile)
        try turn.db.forget(.enrollment, of: clientID, profile: profileID, at: turn.now)
        try note(.enrollmentAckSuccess, user, request, turn)
        try note(.keyEnrollmentSuccess, user, request, turn)
        turn.note(
            "enrolled", about: user.profile.subject,
            "The profile \(user.profile.id) of “\(user.profile.subject)” on “\(user.device.name)” takes part in mobile "
                + "authentication from now on.")
    }

    private func note(_ type: EventType, _ user: DeviceUser, _ request: Request, _ turn: Turn) throws {
        try turn.insert(Event(type, of: user, request, services))
    }
}

// MARK: - Push

extension Enrollments {
    /// Where push messages for the profile go from now on.
    ///
    /// - Throws: ``EnrollmentRefusal`` for a token or a user that has its place on another device.
    func setPushToken(_ token: String, of user: DeviceUser, _ request: Request) throws {
        try world.change { turn in
            var enrollment = try makeRoom(forPush: token, of: user, turn)
            enrollment.pushToken = token
            try turn.update(enrollment, .pushToken)
            try note(.pushEnrollmentSuccess, user, request, turn)
        }
    }

    /// - Returns: the enrollment that may have the token.
    private func makeRoom(forPush token: String, of user: DeviceUser, _ turn: Turn) throws -> Enrollment {
        let rules = try EnrollmentSettings.current(in: turn.db)
        guard rules.isEnabled, rules.isPushEnabled else {
            throw EnrollmentRefusal.disabled(
                setting: "enrollment.\(rules.isEnabled ? "push_enabled" : "enabled") is false")
        }
        guard let enrollment = try turn.db.enrollment(of: user.profile.id, on: user.client.id) else {
            throw EnrollmentRefusal.notEnrolled(profileID: user.profile.id)
        }
        let holder = try turn.first(
            Enrollment.self, where: "push_token = \(token)", order: "enrolled_at, rowid")
        if let holder, holder.clientID != user.client.id {
            throw EnrollmentRefusal.pushTokenInUse(clientID: holder.clientID)
        }
        guard rules.pushMode != .multipleDevices else { return enrollment }
        let others = try turn.db.enrollments(of: user.profile.subject)
            .filter { $0.pushToken != nil && $0.clientID != user.client.id }
        for var other in others {
            guard rules.pushMode == .override else {
                throw EnrollmentRefusal.enrolledElsewhere(
                    clientID: other.clientID, subject: user.profile.subject)
            }
            other.pushToken = nil
            try turn.update(other, .pushToken)
        }
        return enrollment
    }
}

extension DeviceCallRefusal {
    fileprivate var enrollmentEvent: EventType {
        isStateless ? .keyEnrollmentFailureStatelessAccessToken : .keyEnrollmentFailureInvalidToken
    }
}
