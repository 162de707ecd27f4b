import Essentials
import PlatformKit
import SQLite

/// How mobile authentication is set up in a world: the section `mobile_authentication`. What is left out has the value named.
/// Who may enroll stands in ``EnrollmentSettings``.
///
/// Source: Token Server documentation, topic guides of mobile authentication.
struct MobileAuthenticationSettings: Sendable, Equatable {
    /// Name in the settings table, and member of the fixture section.
    static let name = "mobile_authentication"
    static let setting = Setting<MobileAuthenticationSettings>("onegini.mobile_authentication")

    var isEnabled = true
    var types = MobileAuthenticationType.standard
    /// Whether a callback URI has to be among ``callbacks``.
    var hasCallbackAllowList = false
    var callbacks: [CallbackReceiver] = []
    /// Attempts after the first one; 0 for a single one. *Assumed*: the vendor names no number.
    var callbackRetries = 3
    /// Whether a transaction that runs out is told as well.
    var callsBackOnExpiry = false
    /// Whether callbacks wait until they are released by hand.
    var holdsCallbacks = false
    /// Whether the answer to the start of an OTP transaction carries `qr_url`, the address of its page.
    var tellsQRPage = false
    /// A URL of the app, such as `myapp://login`, to which the OTP object is added.
    var deepLink: String?
    var context: ContextSettings?
    var errorShape = PortalErrorShape.union
    /// Characters that a message may have.
    var messageLimit = 155
    /// Whether API v1 answers, which knows no credentials. Source: mobile authentication API v1, “API access”.
    var answersVersion1 = false

    init() {}

    func type(_ name: String) -> MobileAuthenticationType? { types.first { $0.name == name } }

    func receiver(_ url: String) -> CallbackReceiver? { callbacks.first { $0.url == url } }
}

extension MobileAuthenticationSettings: Codable {
    enum CodingKeys: String, CodingKey {
        case isEnabled = "enabled"
        case types
        case hasCallbackAllowList = "callback_allow_list"
        case callbacks
        case callbackRetries = "callback_retries"
        case callsBackOnExpiry = "callback_on_expiry"
        case holdsCallbacks = "hold_callbacks"
        case tellsQRPage = "qr_url"
        case deepLink = "deep_link"
        case context
        case errorShape = "error_shape"
        case messageLimit = "message_limit"
        case answersVersion1 = "deprecated_api_enabled"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try values.read(.isEnabled, into: &isEnabled)
        try values.read(.types, into: &types)
        try values.read(.hasCallbackAllowList, into: &hasCallbackAllowList)
        try values.read(.callbacks, into: &callbacks)
        try values.read(.callbackRetries, into: &callbackRetries)
        try values.read(.callsBackOnExpiry, into: &callsBackOnExpiry)
        try values.read(.holdsCallbacks, into: &holdsCallbacks)
        try values.read(.tellsQRPage, into: &tellsQRPage)
        deepLink = try values.decodeIfPresent(String.self, forKey: .deepLink)
        context = try values.decodeIfPresent(ContextSettings.self, forKey: .context)
        try values.read(.errorShape, into: &errorShape)
        try values.read(.messageLimit, into: &messageLimit)
        try values.read(.answersVersion1, into: &answersVersion1)
    }
}

/// A URL that may be told of results, and how the server proves itself there: by HTTP Basic, when a user name is given.
///
/// Source: Token Server documentation, topic “mobile authentication”, callback configuration.
struct CallbackReceiver: Codable, Sendable, Equatable {
    var url: String
    var username: String?
    var password: String?
}

/// How the mobile authentication API spells a refusal: the vendor's pages show two shapes for it.
enum PortalErrorShape: String, Codable, Sendable, CaseIterable {
    /// All members of both.
    case union
    /// `{"error":"not_found","error_description":"…"}`
    case oauth
    /// `{"error_code":"3003","description":"…"}`
    case numbered
}

extension World {
    /// How mobile authentication is set up in this world.
    func mobileAuthentication() throws -> MobileAuthenticationSettings {
        try services.memo.value("onegini.mobile_authentication") {
            try database.read { try MobileAuthenticationSettings.setting.value(in: $0) }
                ?? MobileAuthenticationSettings()
        }
    }
}
