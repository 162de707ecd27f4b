import Essentials
import PlatformKit
import SQLite

extension Onegini {
    /// What an app is told about its settings when it registers and when it starts. Source: the device protocol.
    func deviceConfiguration(of application: ApplicationSettings) throws -> JSONValue {
        let enrollment = try database.read { db in try EnrollmentSettings.current(in: db) }
        let key = try serverKey()
        return [
            "max_pin_attempts": .integer(application.maxPINAttempts),
            "pin_policy": application.pinPolicy.json,
            "registration_validity_seconds": application.registrationValidity.map(JSONValue.integer) ?? .null,
            "identity_providers": .array(
                application.identityProviders.map { ["id": .string($0.id), "name": .string($0.name)] }),
            "authenticators": JSONValue(application.authenticators + application.customAuthenticators),
            "mobile_auth_enrollment_enabled": .boolean(enrollment.isEnabled && key != nil),
            "redirect_url": application.redirectURIs.first.map(JSONValue.string) ?? .null,
            "resource_gateway_uris": JSONValue(application.resourceGatewayURIs),
            "server_public_key_fingerprint": key.map { .string($0.fingerprint) } ?? .null,
        ]
    }
}
