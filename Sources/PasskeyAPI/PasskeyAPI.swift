package import PlatformKit
package import SQLite

/// Hanko's Passkey API: passkeys and second factors beside the login that an app has already. Each tenant has users, credentials, API keys,
/// signing keys and origins of its own.
///
/// Source: the vendor's server (github.com/teamhanko/passkeys, state of 2025), its OpenAPI description, and the JavaScript SDK.
///
/// Not emulated: the admin API, which answers 501 (tenants come from the fixtures); prices and limits of the hosted service; texts of the
/// libraries in `details`, where ours stand. What cannot be read of a body is told in our words.
package struct PasskeyAPI: Platform {
    package static let name = Vendor.name
    package static let title = "Hanko Passkey API"

    package static let migrations: [SQL] =
        Tenant.migrations + User.migrations + Credential.migrations + Challenge.migrations
        + SignedTransaction.migrations + AuditEntry.migrations

    package static let records: [any Record.Type] = [
        Tenant.self, User.self, Credential.self, Challenge.self, SignedTransaction.self, AuditEntry.self,
    ]

    package let world: World

    package init(_ world: World) { self.world = world }
}

extension PasskeyAPI: TellsExpiries {
    package static let expiring = [
        Expiring(
            "passkey challenge",
            "SELECT expires_at AS at, operation AS about FROM passkeyapi_challenge")
    ]
}
