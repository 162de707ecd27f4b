import PlatformKit

/// What the portal has to know of the token server, as an integrator would configure it.
struct PortalSettings: Codable, Sendable, Equatable {
    /// Base URL of the token server, such as `https://token-server.example.com/oauth`; this server's own when left out.
    var tokenServer: String?
    /// Credentials of an API client with the scope for mobile authentication.
    var clientID: String = "portal-api"
    var clientSecret: String = "portal-api-secret"
    /// Name of a mobile authentication type with the method OTP.
    var type: String = "qr-code"
    /// What the app shows to the user.
    var message: String = "Log in to the portal"
    /// What the token server proves itself with when it calls back; anybody may call when left out, and learns nothing by it.
    var callbackUsername: String?
    var callbackPassword: String?
    /// Seconds within which the browser has to take up a login that was approved.
    var takeUpSeconds: Int = 60
    var sessionSeconds: Int = 3600

    static let kept = Setting<PortalSettings>("app.portal")

    enum CodingKeys: String, CodingKey {
        case tokenServer = "token_server"
        case clientID = "client_id"
        case clientSecret = "client_secret"
        case type, message
        case callbackUsername = "callback_username"
        case callbackPassword = "callback_password"
        case takeUpSeconds = "take_up_seconds"
        case sessionSeconds = "session_seconds"
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        tokenServer = try container.decodeIfPresent(String.self, forKey: .tokenServer)
        clientID = try container.decodeIfPresent(String.self, forKey: .clientID) ?? clientID
        clientSecret = try container.decodeIfPresent(String.self, forKey: .clientSecret) ?? clientSecret
        type = try container.decodeIfPresent(String.self, forKey: .type) ?? type
        message = try container.decodeIfPresent(String.self, forKey: .message) ?? message
        callbackUsername = try container.decodeIfPresent(String.self, forKey: .callbackUsername)
        callbackPassword = try container.decodeIfPresent(String.self, forKey: .callbackPassword)
        takeUpSeconds = try container.decodeIfPresent(Int.self, forKey: .takeUpSeconds) ?? takeUpSeconds
        sessionSeconds = try container.decodeIfPresent(Int.self, forKey: .sessionSeconds) ?? sessionSeconds
    }
}
