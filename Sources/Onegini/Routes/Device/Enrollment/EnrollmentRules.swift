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
        } catch let refusal as DeviceError {
            try database.write { db in
                try events.add(Event(refusal.enrollmentEvent, request, services), in: db)
            }
            throw refusal
        }
    }

    /// The access token is for the profile that the request names.
    func check(_ profileID: String, isOf user: DeviceUser) throws {
        guard profileID == user.profile.id else {
            throw DeviceError.profileMismatch(named: profileID, token: user.profile.id)
        }
    }

    /// Whether the profile may begin an enrollment.
    func checkEnrollment(of profile: Profile, in db: Connection) throws {
        let rules = try EnrollmentSettings.current(in: db)
        guard rules.isEnabled else { throw EnrollmentError.disabled(setting: "enrollment.enabled is false") }
        let isEnrolled = try enrollments.find(profile.id, on: profile.clientID, in: db) != nil
        guard rules.allowsReenrollment || !isEnrolled
        else { throw EnrollmentError.alreadyEnrolled(profileID: profile.id) }
    }

    /// The server's key for a new enrollment; its own one where the settings say so, which takes as long as making two RSA keys.
    func keyForEnrollment() throws -> (key: OpenPGPServerKey, stored: String?) {
        let isUnique = try database.read { db in try EnrollmentSettings.current(in: db).hasUniqueKeys }
        if isUnique {
            let fixture = try ServerKeyFixture.generate(at: services.clock.now())
            return (try fixture.key(), try JSONText.of(fixture))
        }
        guard let key = try serverKey() else {
            throw EnrollmentError.disabled(setting: "the fixtures bring no server keys (member \"pgp\")")
        }
        return (key, nil)
    }

    func certificate(_ text: String) throws -> OpenPGPCertificate {
        do {
            return try OpenPGPCertificate(text, at: services.clock.now())
        } catch {
            throw EnrollmentError.keyInvalid(error)
        }
    }

    /// The enrollment counts from here on. The push token of one that it replaces stays.
    func enroll(
        _ user: DeviceUser, certificate: String, serverKey: String?, _ request: Request, in db: Connection
    ) throws {
        let (clientID, profileID) = (user.client.id, user.profile.id)
        let before = try enrollments.find(profileID, on: clientID, in: db)
        try enrollments.save(
            Enrollment(
                clientID: clientID, profileID: profileID, subject: user.profile.subject,
                certificate: certificate, pushToken: before?.pushToken, serverKey: serverKey,
                enrolledAt: services.clock.now()), in: db)
        try enrollments.removePending(of: profileID, on: clientID, in: db)
        try devices.forget(.enrollment, of: clientID, profile: profileID, at: services.clock.now(), in: db)
        try note(.enrollmentAckSuccess, user, request, in: db)
        try note(.keyEnrollmentSuccess, user, request, in: db)
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
        _ type: EventType, _ user: DeviceUser, _ request: Request, in db: Connection
    ) throws {
        try events.add(
            Event(
                type, clientID: user.client.id, subject: user.profile.subject,
                application: user.device.application, request, services), in: db)
    }
}

extension DeviceError {
    fileprivate var enrollmentEvent: EventType {
        if case .tokenStateless = self {
            .keyEnrollmentFailureStatelessAccessToken
        } else {
            .keyEnrollmentFailureInvalidToken
        }
    }
}
