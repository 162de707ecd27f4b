import Essentials
import HTTP
import OpenID
import PlatformKit

extension Onegini {
    /// `POST /sdk/v1/clients/challenge`: what a device needs to register, good for ten minutes.
    ///
    /// - Request: `{"app_identifier", "app_platform": "ios"|"android", "app_version", "os_version"?}`.
    /// - Response: `200 {"identifier", "challenge", "ocra_suite", "expires_in", "server_time", "integrity_check"}`.
    /// - Errors: 400 `invalid_request` 9008, 404 `unknown_app_version` 9008, 403 `registration_disabled` 9004, 403
    ///   `os_version_blocked` 9005.
    /// - Source: the device protocol.
    func askChallenge(_ request: Request) throws -> Response {
        try audit.auditing(request) {
            let members = try Members(request) { DeviceRegistrationRefusal.requestInvalid($0) }
            let (pending, version) = try registration.challenge(
                AskedVersion(members), osVersion: members.optionalText("os_version"))
            return .oauth([
                "identifier": .string(pending.identifier), "challenge": .string(pending.challenge),
                "ocra_suite": .string(OCRA.registration.suite),
                "expires_in": .integer(PendingRegistration.lifetimeSeconds),
                "server_time": .integer(services.clock.now().unixMilliseconds),
                "integrity_check": .string(version.integrityCheck.rawValue),
            ])
        }
    }
}
