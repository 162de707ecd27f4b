import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /sdk/v1/clients/challenge`: what a device needs to register, good for ten minutes.
    ///
    /// - Request: `{"app_identifier", "app_platform": "ios"|"android", "app_version", "os_version"?}`.
    /// - Response: `200 {"identifier", "challenge", "ocra_suite", "expires_in", "server_time", "integrity_check"}`.
    /// - Errors: 400 `invalid_request` 9008, 404 `unknown_app_version` 9008, 403 `registration_disabled` 9004, 403
    ///   `os_version_blocked` 9005.
    /// - Source: the device protocol.
    func askChallenge(_ request: Request) throws -> Response {
        try auditing(request) {
            let members = try Members(request) { DeviceRegistrationRefusal.requestInvalid($0) }
            let asked = try AskedVersion(members)
            let osVersion = try members.optionalText("os_version")
            let now = services.clock.now()
            let pending = PendingRegistration(
                identifier: services.entropy.uuid(for: "onegini.registration"),
                challenge: Hex.encode(services.entropy.bytes(32, "onegini.challenge")),
                application: asked.application, platform: asked.platform, version: asked.version,
                osVersion: osVersion, wrongResponses: 0,
                expiresAt: now.addingTimeInterval(Double(PendingRegistration.lifetimeSeconds)))
            let version = try world.change { turn in
                let version = try registrable(asked, osVersion: osVersion, in: turn.db).version
                try turn.insert(pending)
                return version
            }
            return .oauth([
                "identifier": .string(pending.identifier), "challenge": .string(pending.challenge),
                "ocra_suite": .string(OCRA.registration.suite),
                "expires_in": .integer(PendingRegistration.lifetimeSeconds),
                "server_time": .integer(now.milliseconds),
                "integrity_check": .string(version.integrityCheck.rawValue),
            ])
        }
    }

    /// The configuration under which a device may register.
    func registrable(
        _ asked: AskedVersion, osVersion: String?, in db: Connection
    ) throws -> (application: ApplicationSettings, version: ApplicationVersion) {
        let found = try configured(asked, in: db)
        guard found.version.status == .full else {
            throw DeviceRegistrationRefusal.registrationDisabled(
                version: asked.description, status: found.version.status)
        }
        if let fault = found.version.fault(ofOSVersion: osVersion) {
            throw DeviceRegistrationRefusal.osVersionBlocked(fault: fault, isValidation: false)
        }
        return found
    }

    func configured(
        _ asked: AskedVersion, in db: Connection
    ) throws -> (application: ApplicationSettings, version: ApplicationVersion) {
        guard let application = try db.application(asked.application) else {
            let names = try db.applications().map(\.identifier).joined(separator: ", ")
            throw DeviceRegistrationRefusal.versionUnknown(
                asked.description, known: "Configured applications: \(names.isEmpty ? "none" : names).")
        }
        guard let version = application.version(asked.version, on: asked.platform) else {
            let names = application.versions.map { "\($0.platform.rawValue) \($0.name)" }
                .joined(separator: ", ")
            throw DeviceRegistrationRefusal.versionUnknown(
                asked.description, known: "Configured versions: \(names.isEmpty ? "none" : names).")
        }
        return (application, version)
    }
}

/// A version of an application, as a device names it.
struct AskedVersion: Sendable, Equatable, CustomStringConvertible {
    var application: String
    var platform: String
    var version: String

    init(application: String, platform: String, version: String) {
        (self.application, self.platform, self.version) = (application, platform, version)
    }

    init(_ members: Members) throws {
        application = try members.text("app_identifier")
        platform = try members.text("app_platform")
        version = try members.text("app_version")
    }

    var description: String {
        "\(application.prefix(100)) \(version.prefix(40)) on \(platform.prefix(40))"
    }
}
