import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

// What the steps of an enrollment have in common.
extension Onegini {
    /// The user behind an enrollment call. A stateless token is an event of its own.
    func requireEnrollee(_ request: Request) throws -> DeviceUser {
        do {
            return try requireDeviceUser(request)
        } catch let refusal as DeviceCallRefusal {
            try world.change { turn in
                try turn.insert(Event(refusal.enrollmentEvent, request, services))
            }
            throw refusal
        }
    }

    /// The access token is for the profile that the request names.
    func check(_ profileID: String, isOf user: DeviceUser) throws {
        guard profileID == user.profile.id else {
            throw DeviceCallRefusal.profileMismatch(named: profileID, token: user.profile.id)
        }
    }

    /// Whether the profile may begin an enrollment.
    func checkEnrollment(of profile: Profile, in db: Connection) throws {
        let rules = try EnrollmentSettings.current(in: db)
        guard rules.isEnabled else {
            throw EnrollmentRefusal.disabled(setting: "enrollment.enabled is false")
        }
        let isEnrolled = try db.enrollment(of: profile.id, on: profile.clientID) != nil
        guard rules.allowsReenrollment || !isEnrolled
        else { throw EnrollmentRefusal.alreadyEnrolled(profileID: profile.id) }
    }

    /// The server's key for a new enrollment; its own one where the settings say so, which takes as long as making two RSA keys.
    func keyForEnrollment() throws -> (key: OpenPGPServerKey, stored: ServerKey?) {
        let isUnique = try database.read { db in try EnrollmentSettings.current(in: db).hasUniqueKeys }
        if isUnique {
            let own = try ServerKey.generate(at: services.clock.now())
            return (try own.key(), own)
        }
        guard let key = try serverKey() else {
            throw EnrollmentRefusal.disabled(setting: "the fixtures bring no server keys (member \"pgp\")")
        }
        return (key, nil)
    }

    func certificate(_ text: String) throws -> OpenPGPCertificate {
        do {
            return try OpenPGPCertificate(text, at: services.clock.now())
        } catch {
            throw EnrollmentRefusal.keyInvalid(error)
        }
    }

    /// The enrollment counts from here on. The push token of one that it replaces stays.
    func enroll(
        _ user: DeviceUser, certificate: [String], serverKey: ServerKey?, _ request: Request,
        _ turn: Turn
    ) throws {
        let (clientID, profileID) = (user.client.id, user.profile.id)
        let before = try turn.db.enrollment(of: profileID, on: clientID)
        try turn.save(
            Enrollment(
                of: user.profile, certificate: certificate, pushToken: before?.pushToken,
                serverKey: serverKey,
                enrolledAt: services.clock.now()))
        try turn.db.removePendingEnrollment(of: user.profile)
        try turn.db.forget(.enrollment, of: clientID, profile: profileID, at: services.clock.now())
        try note(.enrollmentAckSuccess, user, request, turn)
        try note(.keyEnrollmentSuccess, user, request, turn)
        turn.note(
            "enrolled", about: user.profile.subject,
            "The profile \(user.profile.id) of \"\(user.profile.subject)\" on \"\(user.device.name)\" takes part in mobile "
                + "authentication from now on.")
    }

    /// Runs one step of an enrollment; refusals go into the audit log under the user's name.
    func enrollmentStep<Value>(
        _ request: Request, _ body: (DeviceUser) throws -> Value
    ) throws -> Value {
        let user = try requireEnrollee(request)
        return try auditing(
            request, clientID: user.client.id, subject: user.profile.subject,
            application: user.device.application
        ) { try body(user) }
    }

    func note(
        _ type: EventType, _ user: DeviceUser, _ request: Request, _ turn: Turn
    ) throws {
        try turn.insert(
            Event(
                type, clientID: user.client.id, subject: user.profile.subject,
                application: user.device.application, request, services))
    }
}

extension DeviceCallRefusal {
    fileprivate var enrollmentEvent: EventType {
        isStateless ? .keyEnrollmentFailureStatelessAccessToken : .keyEnrollmentFailureInvalidToken
    }
}
