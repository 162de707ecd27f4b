import Essentials
import OpenID

/// The section `onegini` of a fixture file.
package struct OneginiFixtures: Codable, Sendable {
    /// The authorization server: clients, users, scopes, and what it issued.
    var oauth: OpenIDFixtures?

    // Mobile applications and their devices.
    var applications: [ApplicationSettings]?
    var enrollment: EnrollmentSettings?
    /// The server's OpenPGP keys; without them nobody can enroll for mobile authentication.
    var pgp: ServerKeyFixture?
    var devices: [DeviceFixture]?
    var tombstones: [TombstoneFixture]?
    /// Challenges that wait for their response.
    var registrations: [PendingRegistration]?
    /// Identity providers without a browser; `understudy-direct` and `understudy-qr` when left out.
    var customRegistration: [CustomProvider]?
    /// Registrations with them that are between two steps.
    var customTransactions: [CustomTransaction]?
    /// Links from apps to web pages that were not used yet.
    var appLinks: [AppLink]?

    // What the config API manages beyond clients and applications, with the vendor's names.
    /// Each with `scope_id`; names and descriptions for the consent page stand in `oauth.scopes`.
    var scopeSettings: [[String: JSONValue]]?
    /// The service that is asked about scopes with a `service_endpoint`; nobody is without it.
    var scopeVerification: ScopeVerificationSettings?
    var identityProviders: [[String: JSONValue]]?
    var webHooks: [[String: JSONValue]]?
    /// The audit log, oldest first.
    var events: [Event]?

    // Mobile authentication.
    var mobileAuthentication: MobileAuthenticationSettings?
    var transactions: [MobileTransaction]?
    /// Attempts to tell portals of results, oldest first.
    var callbackLog: [CallbackRecord]?

    enum CodingKeys: String, CodingKey {
        case oauth
        case mobileAuthentication = "mobile_authentication"
        case transactions
        case callbackLog = "callback_log"
        case applications, enrollment, pgp, devices, tombstones, registrations
        case customRegistration = "custom_registration"
        case customTransactions = "custom_transactions"
        case scopeSettings = "scope_settings"
        case scopeVerification = "scope_verification"
        case identityProviders = "idps"
        case webHooks = "web_hooks"
        case events
        case appLinks = "app_links"
    }
}
