/// How a user is asked. Source: mobile authentication API v4, «method» of a mobile authentication type.
enum MobileMethod: String, Codable, Sendable, CaseIterable {
    case push = "PUSH"
    case pushWithPIN = "PUSH_WITH_PIN"
    case pushWithFingerprint = "PUSH_WITH_FINGERPRINT"
    case pushWithCustom = "PUSH_WITH_CUSTOM_AUTHENTICATOR"
    case otp = "OTP"
    case sms = "SMS"

    var isPush: Bool { self != .otp && self != .sms }

    /// `auth_method` in the answer to a start: `push`, `otp` or `sms`. The value `otp` is *assumed*, by analogy.
    var channel: String { isPush ? "push" : wireName }

    /// `authentication_method` of a result, such as `push_with_pin`.
    var wireName: String { rawValue.lowercased() }
}
